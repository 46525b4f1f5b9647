# ctx: context filters for the shell.  GNU make, no configure.
#
#	make			everything into build/
#	make check		all tests
#	make asan		the same tests under address and UB sanitizers
#	make lint bench fuzz install uninstall dist clean
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
ALL_CPPFLAGS += $(call pkg,cflags,jansson libpcre2-8 libcurl sqlite3)

LIB_SRC := $(wildcard lib/*/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libctx.a
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/cli*.c))
COMMANDS := $(patsubst cmd/%.c,%,$(wildcard cmd/ctx-*.c))
BINS := $(COMMANDS:%=$(BUILD)/%)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all check check-unit asan fuzz bench lint format install uninstall dist clean
.SECONDARY:

all: $(BINS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# Which command is linked with what; a test holds ldd to this table.
$(BUILD)/ctx-clean: LDLIBS += $(PCRE2)
$(BUILD)/ctx-truncate: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-count: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-digest-files: LDLIBS += $(PCRE2) $(JANSSON) $(ZLIB)
$(BUILD)/ctx-convert: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-summarize: LDLIBS += $(PCRE2) $(JANSSON) $(CURL)
$(BUILD)/ctx-store: LDLIBS += $(PCRE2) $(JANSSON) $(SQLITE)

$(BINS): $(BUILD)/%: $(BUILD)/cmd/%.o $(CLI_OBJ) $(LIB)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -Wl,--as-needed $(LDLIBS) -lm

# Unit tests: one program a module, linked with everything.
$(BUILD)/unit/%: $(BUILD)/tests/unit/%.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ \
	    $(PCRE2) $(JANSSON) $(CURL) $(SQLITE) $(ZLIB) -lm

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(CLI_OBJ) $(BINS:$(BUILD)/%=$(BUILD)/cmd/%.o) $(UNIT:$(BUILD)/unit/%=$(BUILD)/tests/unit/%.o))

check-unit: $(UNIT)
	BUILD=$(BUILD) tests/run --unit

check: all $(UNIT)
	BUILD=$(BUILD) tests/run

ASAN = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
asan:
	$(MAKE) BUILD=build/asan CFLAGS='$(ASAN)' LDFLAGS='-fsanitize=address,undefined' check

clean:
	rm -rf build
