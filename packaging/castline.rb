# A Homebrew formula. This is a template: packaging/formula fills in what stands between @ signs, for a tap or for
# homebrew-core. packaging/check runs its blocks against a stand-in of Homebrew's commands; Homebrew itself and
# macOS weren't at hand, so run `brew install --build-from-source` and `brew audit` before you publish.
class Castline < Formula
  desc "Web APIs to JSON Lines, search, pictures and property lists"
  homepage "@HOMEPAGE@"
  url "@URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on macos: :sequoia
  depends_on :macos # Linux has packages and archives of its own

  uses_from_macos "swift" => :build, since: :tahoe # Swift 6.2

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release"
    ENV["CASTLINE_BIN"] = "#{buildpath}/.build/release"
    system "scripts/install", prefix
    # Homebrew reads what bash completes from etc; zsh and fish read share, where scripts/install puts theirs.
    bash_completion.install (share/"bash-completion/completions").children
    rm_r share/"bash-completion"
  end

  test do
    %w[fetch-characters fetch-images filter-search store-plist].each do |tool|
      assert_equal "#{tool} (castline) #{version}\n", shell_output("#{bin}/#{tool} --version")
    end

    # The main job, with nothing sent.
    (testpath/"answer.json").write '[{"id":"1","name":"Mick Tidewater"},{"id":"2","name":"Pearl"}]'
    records = shell_output("#{bin}/fetch-characters --source array --input answer.json --seal")
    found = pipe_output("#{bin}/filter-search mick", records, 0)
    assert_match "Mick Tidewater", found
    refute_match "Pearl", found
    pipe_output("#{bin}/fetch-images --offline | #{bin}/store-plist --sealed found.plist", found, 0)
    assert_match "<string>Mick Tidewater</string>", (testpath/"found.plist").read

    # The library of sources is found from where the tool is.
    assert_match "europeana", shell_output("#{bin}/fetch-characters --list-sources")
  end
end
