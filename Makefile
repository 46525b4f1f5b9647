# ctx: context filters for the shell.  GNU make, no configure.
#
#	make			everything into build/
#	make check		all tests
#	make asan		the same tests under address and UB sanitizers
#	make check-slow		what takes longer than make check may
#	make lint bench fuzz install uninstall dist clean lint-unit
#
# PREFIX, DESTDIR, CC, CFLAGS, CPPFLAGS and LDFLAGS are yours; ours are added.

VERSION := $(shell sed -n 's/^\#\# \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
VOCABDIR ?= $(PREFIX)/share/ctx
LIBEXECDIR ?= $(PREFIX)/libexec/ctx
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d
BUILD ?= build
CFLAGS ?= -O2 -g
INSTALL ?= install
PKG_CONFIG ?= pkg-config

# _GNU_SOURCE is for the BSD and Linux calls that are used where they exist;
# every use has a POSIX way beside it.
ALL_CPPFLAGS = -Ilib -Icmd -I$(BUILD) -D_GNU_SOURCE -D_DARWIN_C_SOURCE \
	-DCTX_VERSION='"$(VERSION)"' -DCTX_VOCABDIR='"$(VOCABDIR)"' \
	-DCTX_LIBEXECDIR='"$(LIBEXECDIR)"' $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -pthread $(CFLAGS)

pkg = $(shell $(PKG_CONFIG) --$(1) $(2) 2>/dev/null)
JANSSON := $(call pkg,libs,jansson)
PCRE2 := $(call pkg,libs,libpcre2-8)
CURL := $(call pkg,libs,libcurl)
SQLITE := $(call pkg,libs,sqlite3)
ZLIB := $(call pkg,libs,zlib)

# Link what is used, and nothing else: a filter starts in a millisecond.
AS_NEEDED := -Wl,--as-needed
ifeq ($(shell uname -s),Darwin)
AS_NEEDED := -Wl,-dead_strip_dylibs
endif
ALL_CPPFLAGS += $(call pkg,cflags,jansson libpcre2-8 libcurl sqlite3)

LIB_SRC := $(wildcard lib/*/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libctx.a
CLI := $(BUILD)/libcli.a
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/cli*.c))
COMMANDS := $(patsubst cmd/%.c,%,$(wildcard cmd/ctx-*.c))
BINS := $(COMMANDS:%=$(BUILD)/%)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all check check-unit check-slow asan fuzz bench lint install uninstall \
	dist clean
.SECONDARY:

# Vocabulary tables: made once from the rank files, then mapped as they are.
VOCABS = o200k_base cl100k_base p50k_base r50k_base
TABLES := $(VOCABS:%=$(BUILD)/share/ctx/%.ctxv)
SPLIT_o200k_base = o200k
SPLIT_cl100k_base = cl100k
SPLIT_p50k_base = r50k
SPLIT_r50k_base = r50k

# Programs that commands run, for what they do not link themselves.
HELPERS := $(patsubst cmd/libexec/%.c,%,$(wildcard cmd/libexec/*.c))
HELPER_BINS := $(HELPERS:%=$(BUILD)/libexec/%)

all: $(BINS) $(HELPER_BINS) $(TABLES)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(CLI): $(CLI_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# Which command is linked with what; a test holds ldd to this table.
$(BUILD)/ctx-clean: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-truncate: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-count: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-digest-files: LDLIBS += $(PCRE2) $(JANSSON) $(ZLIB)
$(BUILD)/ctx-convert: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-summarize: LDLIBS += $(PCRE2) $(JANSSON) $(CURL)
$(BUILD)/ctx-store: LDLIBS += $(PCRE2) $(JANSSON) $(SQLITE) $(ZLIB)

$(BUILD)/libexec/ctx-embed: LDLIBS += $(PCRE2) $(JANSSON) $(CURL)

# A command of several files: cmd/ctx-X.c and cmd/X-*.c.
define parts
$(BUILD)/ctx-$(1): $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/$(1)-*.c))
endef
$(foreach c,$(COMMANDS:ctx-%=%),$(eval $(call parts,$(c))))

$(BINS): $(BUILD)/%: $(BUILD)/cmd/%.o $(CLI) $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(CLI) $(LIB) $(AS_NEEDED) $(LDLIBS) -lm

$(HELPER_BINS): $(BUILD)/libexec/%: $(BUILD)/cmd/libexec/%.o $(CLI) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(CLI) $(LIB) $(AS_NEEDED) $(LDLIBS) -lm

# Only what makes tables, so that nothing else makes them anew.
MKVOCAB_OBJ := $(patsubst %,$(BUILD)/lib/%.o,token/host/mkvocab token/build \
	token/vocab token/merge token/window token/path token/table base/buf \
	base/err base/utf8)

$(BUILD)/mkvocab: $(MKVOCAB_OBJ)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/share/ctx/%.ctxv: lib/token/data/%.tiktoken $(BUILD)/mkvocab
	@mkdir -p $(@D)
	$(BUILD)/mkvocab $* $(SPLIT_$*) $< $@

# Unit tests: one program a module, linked with everything.
$(BUILD)/unit/%: $(BUILD)/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ \
	    $(PCRE2) $(JANSSON) $(CURL) $(SQLITE) $(ZLIB) -lm

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d)

# A test looks at what came of a call, not at each answer on the way there.
$(BUILD)/tests/%.o: ALL_CFLAGS += -Wno-unused-result

check-unit: $(UNIT) $(TABLES)
	BUILD=$(BUILD) tests/run --unit

check: all $(UNIT)
	BUILD=$(BUILD) tests/run

ASAN = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
asan:
	$(MAKE) BUILD=build/asan CFLAGS='$(ASAN)' LDFLAGS='-fsanitize=address,undefined' check

# clang's sanitizers see more (a null pointer plus 0); the runtime is shared, so
# that the libraries that tests preload come before it.
SHARED_ASAN = -shared-libsan -Wl,-rpath,$$(dirname \
	$$(clang -print-file-name=libclang_rt.asan-$$(uname -m).so))
asan-clang:
	$(MAKE) BUILD=build/asan-clang CC=clang CFLAGS='$(ASAN)' \
	    LDFLAGS="-fsanitize=address,undefined $(SHARED_ASAN)" check

# Every allocation of every command fails in turn; -v has all that go wrong.
$(BUILD)/fault/failalloc.so: tests/fault/failalloc.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $< -ldl

check-alloc: all $(BUILD)/fault/failalloc.so
	tests/fault/allocs.py -b $(BUILD) -l $(BUILD)/fault/failalloc.so \
	    $(ALLOC_FLAGS)

# One target a line.
CHECK_SLOW = \
	check-alloc \
	asan-clang
.PHONY: $(CHECK_SLOW)
check-slow: $(CHECK_SLOW)

# Fuzzing wants a clang with libFuzzer.  With another compiler, build/fuzz/X_replay
# runs the files it is given through the same target.
FUZZ := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CC ?= clang
FUZZ_SECONDS ?= 20
FUZZ_LIBS = $(LIB) $(PCRE2) $(JANSSON) $(CURL) $(SQLITE) $(ZLIB) -lm

$(BUILD)/fuzz/%_replay: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(FUZZ_LIBS)

$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZ_LIBS)

fuzz:
	$(MAKE) BUILD=build/fuzzing CC=$(FUZZ_CC) \
	    CFLAGS='$(ASAN) -fsanitize=fuzzer-no-link' \
	    LDFLAGS='-fsanitize=address,undefined' \
	    $(FUZZ:%=build/fuzzing/fuzz/%)
	set -e; for f in $(FUZZ); do \
		mkdir -p build/fuzzing/corpus/$$f; \
		build/fuzzing/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) \
		    -artifact_prefix=build/fuzzing/$$f- \
		    -print_final_stats=1 build/fuzzing/corpus/$$f; \
	done

# Every executable tests/bench/*.bench in turn; tables on standard output.
$(BUILD)/bench/measure: tests/bench/measure.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $<

bench: all $(BUILD)/bench/measure
	BUILD=$(BUILD) tests/bench/run

MAN1 := $(wildcard man/*.1)
MAN5 := $(wildcard man/*.5)
MAN7 := $(wildcard man/*.7)
DIRS = $(BINDIR) $(MANDIR)/man1 $(MANDIR)/man5 $(MANDIR)/man7 $(VOCABDIR) \
	$(LIBEXECDIR) $(BASHCOMPDIR) $(ZSHCOMPDIR) $(FISHCOMPDIR)

install: all
	$(INSTALL) -d $(DIRS:%=$(DESTDIR)%)
	$(INSTALL) -m 755 $(BINS) $(DESTDIR)$(BINDIR)
	$(INSTALL) -m 755 $(HELPER_BINS) $(DESTDIR)$(LIBEXECDIR)
	$(INSTALL) -m 644 $(MAN1) $(DESTDIR)$(MANDIR)/man1
	$(INSTALL) -m 644 $(MAN5) $(DESTDIR)$(MANDIR)/man5
	$(INSTALL) -m 644 $(MAN7) $(DESTDIR)$(MANDIR)/man7
	$(INSTALL) -m 644 $(TABLES) $(DESTDIR)$(VOCABDIR)
	$(INSTALL) -m 644 completions/zsh/_ctx $(DESTDIR)$(ZSHCOMPDIR)
	set -e; for c in $(COMMANDS); do \
		$(INSTALL) -m 644 completions/bash/ctx \
		    $(DESTDIR)$(BASHCOMPDIR)/$$c; \
		$(INSTALL) -m 644 completions/fish/ctx.fish \
		    $(DESTDIR)$(FISHCOMPDIR)/$$c.fish; \
	done

# Takes away what install put there, and no folder that others use.
uninstall:
	cd $(DESTDIR)$(BINDIR) && rm -f $(COMMANDS)
	cd $(DESTDIR)$(MANDIR) && rm -f $(MAN1:man/%=man1/%) \
	    $(MAN5:man/%=man5/%) $(MAN7:man/%=man7/%)
	cd $(DESTDIR)$(VOCABDIR) && rm -f $(notdir $(TABLES))
	cd $(DESTDIR)$(LIBEXECDIR) && rm -f $(HELPERS)
	rmdir $(DESTDIR)$(VOCABDIR) $(DESTDIR)$(LIBEXECDIR)
	rm -f $(DESTDIR)$(ZSHCOMPDIR)/_ctx \
	    $(COMMANDS:%=$(DESTDIR)$(BASHCOMPDIR)/%) \
	    $(COMMANDS:%=$(DESTDIR)$(FISHCOMPDIR)/%.fish)

# The source of this version, as git knows it.
dist:
	@mkdir -p $(BUILD)
	git archive --format=tar.gz --prefix=ctx-$(VERSION)/ \
	    -o $(BUILD)/ctx-$(VERSION).tar.gz HEAD

# Every check that needs no running; a tool that is not there is named.
LINT_CFLAGS = -O2 -Werror
SHELL_FILES = .ci/run tests/run tests/setup tests/try tests/bench/run \
	tests/helpers.bash completions/bash/ctx
lint:
	@set -e; for cc in gcc clang; do \
		if command -v $$cc >/dev/null; then \
			echo "lint: $$cc -Werror"; \
			$(MAKE) -s CC=$$cc BUILD=build/lint-$$cc \
			    CFLAGS='$(LINT_CFLAGS)' all lint-unit; \
		else echo "lint: no $$cc here"; fi; \
	done
	@if command -v mandoc >/dev/null; then \
		echo "lint: mandoc"; mandoc -T lint -W warning man/*.[157]; \
	else echo "lint: no mandoc here"; fi
	@if command -v shellcheck >/dev/null; then \
		echo "lint: shellcheck"; shellcheck $(SHELL_FILES); \
	else echo "lint: no shellcheck here"; fi
	@echo "lint: done"

lint-unit: $(UNIT)

clean:
	rm -rf build
