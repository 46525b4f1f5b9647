# Homebrew formula.  UNTESTED: no machine with Homebrew has built it; only its syntax
# is checked.  The homepage and the address of the tarball are those of whoever
# publishes it; sha256 is in the release's SHA256SUMS.
class Ctx < Formula
  desc "Filters for the message history of a language model"
  homepage "https://example.org/ctx"
  url "https://example.org/ctx/ctx-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license all_of: ["MIT", "Unicode-3.0"]

  depends_on "pkgconf" => :build
  depends_on "jansson"
  depends_on "libarchive"
  depends_on "libpq"
  depends_on "libyaml"
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "zstd"

  uses_from_macos "curl"
  uses_from_macos "zlib"

  def install
    system "make", "STATIC=0", "PREFIX=#{prefix}", "install",
           "MANDIR=#{man}", "BASHCOMPDIR=#{bash_completion}",
           "ZSHCOMPDIR=#{zsh_completion}", "FISHCOMPDIR=#{fish_completion}"
  end

  test do
    (testpath/"log.jsonl").write <<~JSON
      {"role":"user","content":"hello world"}
    JSON
    system bin/"ctx-clean", "--check", "log.jsonl"
    assert_match(/^ +6 +1 +40 /, shell_output("#{bin}/ctx-count log.jsonl"))
  end
end
