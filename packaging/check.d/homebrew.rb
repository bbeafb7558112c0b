# A stand-in for the part of Homebrew that packaging/castline.rb uses: runs the formula's install and test blocks against
# tools that are built already, and fails where a block names what isn't there. What it doesn't know, it refuses, so a
# formula that uses more of Homebrew has to be tried with Homebrew.
#
#     ruby homebrew.rb FORMULA SOURCES TOOLS     TOOLS is a folder of built tools, put where `swift build` would leave them
require "fileutils"
require "open3"
require "pathname"
require "tmpdir"

class Pathname
  def install(files)
    mkpath
    Array(files).each { |file| FileUtils.mv(file.to_s, to_s) }
  end

  # Pathname's own writes a file that may be there already; Homebrew's doesn't.
  def write(text)
    raise "#{self} exists" if exist?

    File.write(to_s, text)
  end
end

class Formula
  FACTS = %i[desc homepage url version sha256 license].freeze
  class << self
    attr_reader :facts, :needs, :tested

    def inherited(formula)
      super
      formula.instance_variable_set(:@facts, {})
      formula.instance_variable_set(:@needs, [])
    end

    FACTS.each { |fact| define_method(fact) { |value| @facts.store(fact, value) } }
    def depends_on(what) = @needs.push(what)
    def uses_from_macos(what, bounds = {}) = @needs.push([what, bounds])
    def test(&block) = @tested = block
  end

  include FileUtils
  attr_reader :prefix, :buildpath, :testpath

  def initialize(scratch, sources, tools)
    @prefix, @buildpath, @testpath = %w[Cellar build test].map { |name| scratch/name }
    [@prefix, @testpath].each(&:mkpath)
    FileUtils.cp_r(sources, @buildpath)
    @tools = Pathname(tools)
  end

  def bin = prefix/"bin"
  def share = prefix/"share"
  def bash_completion = prefix/"etc/bash_completion.d"
  # Without a version, Homebrew reads it from the URL.
  def version = self.class.facts.fetch(:version) { self.class.facts[:url][/-(\d[^\/]*)\.tar\.\w+\z/, 1] }

  def system(command, *arguments)
    if [command, *arguments] == %w[swift build --disable-sandbox -c release]
      (buildpath/".build").mkpath
      return ln_s(@tools, buildpath/".build/release")
    end
    Kernel.system(command.to_s, *arguments.map(&:to_s)) || raise("#{command} #{arguments.join(" ")} failed")
  end

  def shell_output(command, status = 0) = pipe_output(command, "", status)

  def pipe_output(command, input, status = nil)
    output, ended = Open3.capture2("bash", "-o", "pipefail", "-c", command, stdin_data: input)
    raise "#{command} ended with #{ended.exitstatus}, not #{status}" if status && ended.exitstatus != status

    output
  end

  def assert_equal(wanted, got) = wanted == got || raise("#{got.inspect} is not #{wanted.inspect}")
  def assert_match(wanted, got) = got.include?(wanted) || raise("no #{wanted} in #{got}")
  def refute_match(unwanted, got) = got.include?(unwanted) && raise("#{unwanted} is in #{got}")
end

formula_file, sources, tools = ARGV
load formula_file
formula_class = ObjectSpace.each_object(Class).find { |candidate| candidate < Formula }
missing = Formula::FACTS - formula_class.facts.keys - [:version]
abort "homebrew: the formula has no #{missing.join(", ")}" unless missing.empty?
abort "homebrew: a sign of the template is left" if formula_class.facts.values.any? { |value| value.include?("@") }

Dir.mktmpdir do |scratch|
  formula = formula_class.new(Pathname(scratch).realpath, sources, tools)
  Dir.chdir(formula.buildpath) { formula.install }
  Dir.chdir(formula.testpath) { formula.instance_eval(&formula_class.tested) }
  puts Dir.chdir(formula.prefix) { Dir["**/*"].select { |file| File.file?(file) }.sort }
end
