#!/usr/bin/env python3
"""Checks the files that GitHub reads, as far as its documentation tells their form: known keys, steps that run or use
something, versions of what is used, inputs and outputs that are declared, shells in composite actions, scripts that exist
and can be run. Writes every piece of shell to SCRIPTS/ID.sh, for bash -n and shellcheck.

    workflows.py SCRIPTS     from the top of the repository; each fault is a line on stderr, and the status is 1
"""
import os
import re
import sys

import yaml

faults = []
pieces = []


def fault(where, what):
    faults.append(f"{where}: {what}")


class Loader(yaml.SafeLoader):
    """YAML 1.2's booleans alone, as GitHub has them ('on' is a word), and no key twice."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in {key for key in keys if keys.count(key) > 1}:
            raise yaml.constructor.ConstructorError(None, None, f"key {key} is there twice", node.start_mark)
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def load(path):
    with open(path, encoding="utf-8") as file:
        try:
            value = yaml.load(file, Loader)
        except yaml.YAMLError as error:
            fault(path, " ".join(str(error).split()))
            return {}
    if not isinstance(value, dict):
        fault(path, "isn't a mapping")
        return {}
    return value


def keys(where, value, known, needed=()):
    if not isinstance(value, dict):
        return fault(where, "isn't a mapping")
    for key in value:
        if key not in known:
            fault(where, f"key {key} isn't known")
    for key in needed:
        if value.get(key) in (None, "", [], {}):
            fault(where, f"{key} is missing")


CONTEXTS = {"env", "github", "inputs", "job", "jobs", "matrix", "needs", "runner", "secrets", "steps", "strategy", "vars"}


def expressions(where, value, allowed, names):
    """Each ${{ }} and `if` below a value names contexts that are there, and inputs, steps and matrix values by their names."""
    if isinstance(value, dict):
        for key, below in value.items():
            text = f"${{{{ {below} }}}}" if key == "if" else below
            expressions(f"{where}.{key}", text, allowed, names)
    elif isinstance(value, list):
        for number, below in enumerate(value):
            expressions(f"{where}[{number}]", below, allowed, names)
    elif isinstance(value, str):
        if value.count("${{") != len(re.findall(r"\$\{\{[^{}]*(?:\{[0-9]\}[^{}]*)*\}\}", value)):
            fault(where, "an expression isn't closed")
        for inner in re.findall(r"\$\{\{(.*?)\}\}", value, re.S):
            bare = re.sub(r"'[^']*'", "''", inner)
            for context, name in re.findall(r"(?<![\w.])([a-z]+)\.([\w-]+)", bare):
                if context not in allowed:
                    fault(where, f"{context} isn't there")
                elif context in names and name not in names[context]:
                    fault(where, f"{context}.{name} isn't declared")


STEP = {"name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory", "continue-on-error", "timeout-minutes"}


def steps(where, value, composite):
    if not isinstance(value, list) or not value:
        return fault(where, "has no steps")
    for number, step in enumerate(value):
        here = f"{where}[{number}]"
        keys(here, step, STEP - {"timeout-minutes"} if composite else STEP)
        if ("run" in step) == ("uses" in step):
            fault(here, "has to have one of run and uses")
        if "uses" in step:
            used = step["uses"]
            if not used.startswith("./") and not re.fullmatch(r"[\w.-]+/[\w./-]+@(v\d+(\.\d+)*|[0-9a-f]{40})", used):
                fault(here, f"{used} has no version")
        if "run" in step:
            if composite and "shell" not in step:
                fault(here, "a step of a composite action needs its shell")
            if "${{" in step["run"]:
                fault(here, "an expression in run: is pasted into the script; give it by env:")
            pieces.append((here, step["run"], sorted(step.get("env", {}))))


def workflow(path):
    value = load(path)
    keys(path, value, {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"},
         ("on", "permissions", "jobs"))
    known = {"name", "needs", "if", "runs-on", "permissions", "environment", "concurrency", "outputs", "env", "defaults",
             "steps", "timeout-minutes", "strategy", "continue-on-error", "container", "services"}
    for name, job in (value.get("jobs") or {}).items():
        where = f"{path}:{name}"
        keys(where, job, known, ("runs-on", "steps", "timeout-minutes"))
        strategy = job.get("strategy", {})
        keys(where, strategy, {"matrix", "fail-fast", "max-parallel"})
        if isinstance(job.get("container"), dict):
            keys(where, job["container"], {"image", "credentials", "env", "ports", "volumes", "options"}, ("image",))
        ids = {step["id"] for step in job.get("steps", []) if "id" in step}
        expressions(where, job, CONTEXTS - {"inputs", "jobs"},
                    {"matrix": set(strategy.get("matrix", {})), "steps": ids})
        steps(where, job.get("steps"), composite=False)


def action(path):
    value = load(path)
    keys(path, value, {"name", "author", "description", "inputs", "outputs", "runs", "branding"},
         ("name", "description", "runs"))
    inputs, runs = value.get("inputs", {}), value.get("runs", {})
    for name, declared in inputs.items():
        keys(f"{path}:{name}", declared, {"description", "required", "default", "deprecationMessage"}, ("description",))
    for name, declared in value.get("outputs", {}).items():
        keys(f"{path}:{name}", declared, {"description", "value"}, ("description", "value"))
    keys(path, runs, {"using", "steps"}, ("steps",))
    if runs.get("using") != "composite":
        fault(path, "isn't composite")
    ids = {step["id"] for step in runs.get("steps", []) if "id" in step}
    allowed = CONTEXTS - {"secrets", "needs", "vars", "jobs"}
    expressions(path, {"outputs": value.get("outputs", {}), "runs": runs}, allowed, {"inputs": set(inputs), "steps": ids})
    text = str(runs)
    for name in inputs:
        if f"inputs.{name}" not in text:
            fault(path, f"input {name} is used nowhere")
    steps(path, runs.get("steps"), composite=True)


FIELDS = {
    "markdown": ({"value"}, ("value",)),
    "input": ({"label", "description", "placeholder", "value"}, ("label",)),
    "textarea": ({"label", "description", "placeholder", "value", "render"}, ("label",)),
    "dropdown": ({"label", "description", "multiple", "options", "default"}, ("label", "options")),
    "checkboxes": ({"label", "description", "options"}, ("label", "options")),
}


def form(path):
    value = load(path)
    keys(path, value, {"name", "description", "title", "labels", "assignees", "projects", "type", "body"},
         ("name", "description", "body"))
    ids, labels = [], []
    for number, field in enumerate(value.get("body") or []):
        here = f"{path}:{number}"
        known, needed = FIELDS.get(field.get("type"), (set(), ()))
        if not known:
            fault(here, f"type {field.get('type')} isn't known")
        keys(here, field, {"type", "id", "attributes", "validations"}, ("attributes",))
        keys(here, field.get("attributes", {}), known, needed)
        keys(here, field.get("validations", {}), {"required"})
        if field.get("type") != "markdown":
            ids.append(field.get("id"))
            labels.append(field["attributes"].get("label"))
            if not re.fullmatch(r"[\w-]+", field.get("id") or ""):
                fault(here, "has no id of letters, digits, - and _")
    for name in {name for name in ids + labels if (ids + labels).count(name) > 1}:
        fault(path, f"{name} is there twice")
    if not ids:
        fault(path, "asks nothing")


def configuration(path):
    value = load(path)
    keys(path, value, {"blank_issues_enabled", "contact_links"})
    with open("packaging/ADDRESS", encoding="utf-8") as file:
        address = file.read().strip()
    for link in value.get("contact_links", []):
        keys(path, link, {"name", "url", "about"}, ("name", "url", "about"))
        if not link.get("url", "").startswith(address + "/"):
            fault(path, f"{link.get('url')} isn't below the address in packaging/ADDRESS")


def shell(folder):
    """Each piece as a file, its variables named; what it calls of ours has to be there."""
    for number, (where, text, variables) in enumerate(pieces):
        for script in re.findall(r"(?<![\w/.])((?:scripts|packaging)/[\w./-]+)", text) + [
            "packaging/" + script for script in re.findall(r"\$GITHUB_ACTION_PATH/([\w./-]+)", text)
        ]:
            if not os.access(script, os.X_OK) or not os.path.isfile(script):
                fault(where, f"{script} isn't there, or can't be run")
        with open(os.path.join(folder, f"{number}.sh"), "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\nset -eo pipefail\n" + "".join(f": \"${name}\"\n" for name in variables))
            file.write(text + "\n")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: workflows.py SCRIPTS")
    for name in sorted(os.listdir(".github/workflows")):
        workflow(f".github/workflows/{name}")
    for name in sorted(os.listdir(".github/ISSUE_TEMPLATE")):
        (configuration if name == "config.yml" else form)(f".github/ISSUE_TEMPLATE/{name}")
    action("packaging/action.yml")
    shell(sys.argv[1])
    if not pieces:
        fault(".github", "nothing in it runs anything")
    for line in faults:
        print(line, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
