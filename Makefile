# ctx: context filters for the shell.  GNU make, no configure.
#
#	make			build everything into build/
#	make check		run all tests
#	make asan		run them under address and UB sanitizers
#	make check-slow		run the slow checks: every check-* below
#	make check-all		run everything there is, and print a table
#	make static		programs without shared libraries, in build/static
#	make html		the manual pages as a site, in build/html
#	make lint bench fuzz install uninstall dist release clean lint-unit
#
# You may set PREFIX, DESTDIR, CC, CFLAGS, CPPFLAGS and LDFLAGS; our flags are
# added.  If CC compiles for another machine, HOST_CC is a compiler for this one; it
# makes what runs during the build (with HOST_CFLAGS), and PKG_CONFIG finds the
# libraries of the other.  HARDEN= omits the hardening flags.  SQLite, PCRE2, jansson,
# zlib and zstd are linked into the programs where they are installed as archives;
# STATIC=0 uses the shared libraries, STATIC=1 requires all archives.  BUILD may not
# contain a space.

VERSION := $(shell sed -n 's/^\#\# \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
VOCABDIR ?= $(PREFIX)/share/ctx
TUTORIALDIR ?= $(PREFIX)/share/ctx/tutorial
LIBEXECDIR ?= $(PREFIX)/libexec/ctx
INCLUDEDIR ?= $(PREFIX)/include
LIBDIR ?= $(PREFIX)/lib
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d
BUILD ?= build
CFLAGS ?= -O2 -g
HOST_CFLAGS ?= -O2
INSTALL ?= install
PKG_CONFIG ?= pkg-config

ifneq ($(words $(BUILD)),1)
$(error BUILD is "$(BUILD)"; make cannot build in a folder with a space)
endif

# $(call q,WORD): WORD quoted as one word of the shell.
q = '$(subst ','\'',$(1))'

# Flags that harden a program, as far as the compiler supports them.  First all
# are tried together, which takes one run of the compiler, then each alone.  Your
# flags come later and override these.  Fortified functions are left out without
# optimization, which they need, and if you set them yourself.  With a sanitizer,
# which detects more, none of these flags are used.
FORTIFY := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
HARDEN_CFLAGS := -fstack-protector-strong -fstack-clash-protection -fPIE
HARDEN_LDFLAGS := -pie -Wl,-z,relro -Wl,-z,now
ifneq ($(filter x86_64 amd64 i%86,$(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))),)
HARDEN_CFLAGS += -fcf-protection
else
HARDEN_CFLAGS += -mbranch-protection=standard
endif
ifeq ($(shell uname -s),Darwin)
HARDEN_LDFLAGS :=
endif
ifneq ($(filter -static% -no-pie,$(CFLAGS) $(LDFLAGS)),)
HARDEN_LDFLAGS := $(filter-out -pie,$(HARDEN_LDFLAGS))
endif
ifneq ($(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),)
FORTIFY :=
endif
ifeq ($(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),)
FORTIFY :=
endif
known = $(shell t=$$(mktemp -d) && cd "$$t" && \
	echo 'int main(void) { return 0; }' >t.c && \
	try() { $(CC) $(CFLAGS) -Werror "$$@" $(LDFLAGS) -o t t.c >/dev/null 2>&1; }; \
	if try $(1); then echo $(1); else \
		for f in $(1); do ! try $$f || echo $$f; done; fi; \
	rm -rf "$$t")
ifeq ($(origin HARDEN),undefined)
ifeq ($(findstring -fsanitize,$(CFLAGS)),)
HARDEN := $(FORTIFY) $(call known,$(HARDEN_CFLAGS) $(HARDEN_LDFLAGS))
endif
endif
HARDEN_CC := $(filter-out -pie -Wl%,$(HARDEN))
HARDEN_LD := $(filter -pie -Wl%,$(HARDEN))

# With pointers of 32 bits, files of more than 2 GB and times after 2038 need this.
WIDE := $(if $(shell printf '\043if __SIZEOF_POINTER__ < 8\nyes\n\043endif\n' | \
	$(CC) $(CPPFLAGS) $(CFLAGS) -E -P -x c - 2>/dev/null),\
	-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)

# _GNU_SOURCE enables BSD and Linux calls, which are used where they exist;
# each of them has a POSIX alternative.
ALL_CPPFLAGS = -I. -Ilib -Icmd -I$(BUILD) -D_GNU_SOURCE -D_DARWIN_C_SOURCE $(WIDE) \
	-DCTX_VERSION='"$(VERSION)"' -DCTX_VOCABDIR='"$(VOCABDIR)"' \
	-DCTX_LIBEXECDIR='"$(LIBEXECDIR)"' $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -pthread $(HARDEN_CC) $(CFLAGS)
# musl gives a thread as much stack as this says, and else 128 KB, which is less than a
# look into an image takes; other C libraries do not read it.
ifneq ($(shell uname -s),Darwin)
STACK := -Wl,-z,stack-size=8388608
endif
ALL_LDFLAGS = $(HARDEN_LD) $(STACK) $(LDFLAGS)

pkg = $(shell $(PKG_CONFIG) --$(1) $(2) 2>/dev/null)
CURL := $(call pkg,libs,libcurl)
YAML := $(call pkg,libs,yaml-0.1)
ARCHIVE := $(call pkg,libs,libarchive)
PQ := $(call pkg,libs,libpq)

# Libraries that are linked into the programs, each with a function that the linker
# must find in the archive.  Loading them as shared libraries would take longer than
# what a program does with one message.  GNU ld and lld know -Bstatic.
ARCHIVES := jansson:json_loads libpcre2-8:pcre2_compile_8 sqlite3:sqlite3_open_v2 \
	zlib:inflate libzstd:ZSTD_compress
archive = -Wl,-Bstatic $(filter-out -lm -ldl -lpthread -pthread,$(call \
	pkg,libs --static,$(1))) -Wl,-Bdynamic
first = $(firstword $(subst :, ,$(1)))
links = $(shell t=$$(mktemp -d) && cd "$$t" && \
	echo 'int main(void) { return 0; }' >t.c && \
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o t t.c $(foreach l,$(1),-Wl,-u,$(lastword \
	$(subst :, ,$(l))) $(call archive,$(call first,$(l)))) -lm >/dev/null 2>&1 && \
	echo $(foreach l,$(1),$(call first,$(l))); rm -rf "$$t")
ifneq ($(filter-out 0 1,$(STATIC)),)
$(error STATIC is "$(STATIC)"; it is 0, 1 or empty)
endif
# found when the first program is linked, so that other targets need not look
ARCHIVED = $(eval ARCHIVED := $(if $(STATIC),$(if $(filter 1,$(STATIC)),$(foreach \
	l,$(ARCHIVES),$(call first,$(l)))),$(or $(call links,$(ARCHIVES)),$(foreach \
	l,$(ARCHIVES),$(call links,$(l))))))$(ARCHIVED)
lib = $(if $(filter $(1),$(ARCHIVED)),$(call archive,$(1)),$(call pkg,libs,$(1)))
JANSSON = $(call lib,jansson)
PCRE2 = $(call lib,libpcre2-8)
SQLITE = $(call lib,sqlite3)
ZLIB = $(call lib,zlib)
ZSTD = $(call lib,libzstd)
SHARED := $(call pkg,libs,jansson libpcre2-8 sqlite3 zlib libzstd)

# iconv is in libc, or, as on macOS, in a library of its own.
ICONV := $(shell t=$$(mktemp -d) && cd "$$t" && \
	printf '\043include <iconv.h>\nint main(void) { return iconv_open("", "") == 0; }\n' >t.c && \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o t t.c >/dev/null 2>&1 || echo -liconv; \
	rm -rf "$$t")

# Link only what is used: a filter starts in a millisecond.
AS_NEEDED := -Wl,--as-needed
ifeq ($(shell uname -s),Darwin)
AS_NEEDED := -Wl,-dead_strip_dylibs
endif
PKG_CPPFLAGS := $(call pkg,cflags,jansson libpcre2-8 libcurl sqlite3 libzstd) \
	$(call pkg,cflags,libarchive) $(call pkg,cflags,yaml-0.1)
PQ_CPPFLAGS := $(call pkg,cflags,libpq)
ALL_CPPFLAGS += $(PKG_CPPFLAGS)

LIB_SRC := $(filter-out lib/pg/%,$(wildcard lib/*/*.c lib/store/*/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libctx.a
CLI := $(BUILD)/libcli.a
CLI_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/cli*.c))
COMMANDS := $(patsubst cmd/%.c,%,$(wildcard cmd/ctx-*.c))
BINS := $(COMMANDS:%=$(BUILD)/%)
UNIT := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all static check check-unit check-slow check-all asan fuzz bench lint install \
	uninstall dist release clean harden
.SECONDARY:

# Vocabulary tables are made once from the rank files, then mapped unchanged.
VOCABS = o200k_base cl100k_base p50k_base r50k_base
TABLES := $(VOCABS:%=$(BUILD)/share/ctx/%.ctxv)
SPLIT_o200k_base = o200k
SPLIT_cl100k_base = cl100k
SPLIT_p50k_base = r50k
SPLIT_r50k_base = r50k

# Programs that commands run so that they need not link certain libraries.  Those
# whose library is not installed are left out; ctx-digest-files does without.
HELPERS := ctx-embed $(if $(ARCHIVE),ctx-unpack) $(if $(YAML),ctx-yaml) \
	$(if $(PQ),ctx-store-pg)
HELPER_BINS := $(HELPERS:%=$(BUILD)/libexec/%)

all: $(BINS) $(HELPER_BINS) $(TABLES)
	$(if $(PQ),,@echo "without libpq there is no ctx-store-pg, for PostgreSQL")

# those that say the version
$(addprefix $(BUILD)/,cmd/cli.o lib/api/history.o lib/net/ask.o lib/net/embed.o \
	include/ctx.h): CHANGELOG.md

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(CLI): $(CLI_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# The library of ctx-store-pg.  What lib/pg has in its place is left out of
# lib/store, and what reaches the database is compiled for it (see lib/store/db_pg.h).
PG_NOT := body_row bundle change check_db db fair host keep_db log_batch measure_pages \
	pack private schema squeeze store vacuum wal
PG_NOT += port/foreign_db port/langgraph port/llm port/recover \
	port/rescue port/salvage
PG_NOT += search/check_index search/fts search/near search/query_fts
PG_SRC := $(wildcard lib/pg/*.c) $(filter-out $(PG_NOT:%=lib/store/%.c),\
	$(wildcard lib/store/*.c lib/store/*/*.c))
PG_OBJ := $(PG_SRC:%.c=$(BUILD)/pg/%.o)
PG_LIB := $(BUILD)/pg/libctx.a

$(PG_OBJ): $(BUILD)/pg/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -DCTX_PG $(PQ_CPPFLAGS) $(ALL_CFLAGS) \
	    -MMD -MP -c -o $@ $<

$(PG_LIB): $(PG_OBJ) $(filter-out $(BUILD)/lib/store/%,$(LIB_OBJ))
	@rm -f $@
	$(AR) rcs $@ $^

# The libraries of each command; a test compares this table with ldd.
$(BUILD)/ctx-clean: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-truncate: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-count: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-digest-files: LDLIBS += $(PCRE2) $(JANSSON) $(ZLIB) $(ICONV)
$(BUILD)/ctx-convert: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-show: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-diff: LDLIBS += $(PCRE2) $(JANSSON)
$(BUILD)/ctx-summarize: LDLIBS += $(PCRE2) $(JANSSON) $(CURL)
$(BUILD)/ctx-store: LDLIBS += $(PCRE2) $(JANSSON) $(SQLITE) $(ZSTD) $(ZLIB) $(ICONV)

$(BUILD)/libexec/ctx-embed: LDLIBS += $(PCRE2) $(JANSSON) $(CURL)
$(BUILD)/libexec/ctx-unpack: LDLIBS += $(ARCHIVE)
$(BUILD)/libexec/ctx-yaml: LDLIBS += $(YAML)
$(BUILD)/libexec/ctx-store-pg: LDLIBS += $(PCRE2) $(JANSSON) $(PQ) $(SQLITE) $(ZLIB) $(ICONV)
$(BUILD)/libexec/ctx-store-pg: LIB := $(PG_LIB)
$(BUILD)/libexec/ctx-store-pg: $(PG_LIB) \
	$(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/store/*.c))

# The other files of a command: cmd/X-*.c besides cmd/ctx-X.c, or the folder cmd/X.
define parts
$(BUILD)/ctx-$(1) $(BUILD)/static/ctx-$(1): $(patsubst %.c,$(BUILD)/%.o,$(wildcard \
	cmd/$(1)-*.c cmd/$(1)/*.c))
endef
$(foreach c,$(COMMANDS:ctx-%=%),$(eval $(call parts,$(c))))

$(BINS): $(BUILD)/%: $(BUILD)/cmd/%.o $(CLI) $(LIB)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(CLI) $(LIB) $(AS_NEEDED) $(LDLIBS) -lm

$(HELPER_BINS): $(BUILD)/libexec/%: $(BUILD)/cmd/libexec/%.o $(CLI) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(CLI) $(LIB) $(AS_NEEDED) $(LDLIBS) -lm

# The commands that do not need libcurl, each without any shared library, the C library
# included.  Nothing installs them.  CC may be a compiler of another C library.
STATIC_BINS := $(patsubst %,$(BUILD)/static/%,$(filter-out ctx-summarize,$(COMMANDS)))
STATIC_LIBS = $(call pkg,libs --static,jansson libpcre2-8 sqlite3 libzstd zlib)
STATIC_PIE = $(or $(if $(filter -fPIE,$(HARDEN)),$(call known,-static-pie)),-static -no-pie)
static: $(STATIC_BINS) $(TABLES)
$(STATIC_BINS): $(BUILD)/static/%: $(BUILD)/cmd/%.o $(CLI) $(LIB)
	@mkdir -p $(@D)
	ln -sfn ../share $(@D)/share
	$(CC) $(ALL_CFLAGS) $(filter-out -pie,$(ALL_LDFLAGS)) $(STATIC_PIE) -o $@ \
	    $(filter %.o,$^) $(CLI) $(LIB) $(STATIC_LIBS) $(ICONV) -lm

# ctx-store with shared libraries, whose calls a test can make fail, and all that
# stands beside it.
$(BUILD)/shared/ctx-store: $(BUILD)/cmd/ctx-store.o \
    $(patsubst %.c,$(BUILD)/%.o,$(wildcard cmd/store/*.c)) $(CLI) $(LIB)
	@mkdir -p $(@D)
	cd $(@D) && ln -sf ../ctx-* ../libexec ../share . && rm -f ctx-store
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(AS_NEEDED) $(SHARED) $(ICONV) -lm

# Tables depend only on the code that makes them, so that other changes do not
# rebuild them.
MKVOCAB_OBJ := $(patsubst %,lib/%.o,token/host/mkvocab token/host/reorder token/build \
	token/vocab token/bpe token/bpe_window token/table token/cross token/trie base/base64 base/cpu \
	base/buf base/err base/fd base/utf8)

ifeq ($(HOST_CC),)
MKVOCAB := $(BUILD)/mkvocab
$(MKVOCAB): $(MKVOCAB_OBJ:%=$(BUILD)/%)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ $(LDLIBS)
else
# The program runs here, and its tables have the byte order of the other machine.
MKVOCAB := $(BUILD)/host/mkvocab
ORDER := $(shell printf '%b\n' '\043if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__' big \
	'\043else' little '\043endif' | $(CC) -E -P -x c - 2>/dev/null)
$(BUILD)/host/%.o: %.c
	@mkdir -p $(@D)
	$(HOST_CC) -I. -Ilib -D_GNU_SOURCE -std=c11 $(HOST_CFLAGS) -MMD -MP -c -o $@ $<
$(MKVOCAB): $(MKVOCAB_OBJ:%=$(BUILD)/host/%)
	$(HOST_CC) $(HOST_CFLAGS) -o $@ $^
endif

$(BUILD)/share/ctx/%.ctxv: lib/token/data/%.tiktoken $(MKVOCAB)
	@mkdir -p $(@D)
	$(MKVOCAB) $* $(SPLIT_$*) $< $@ $(ORDER)

# The style, script and so on of what is shown, as bytes of an array of C.
$(BUILD)/show/%.inc: lib/show/%
	@mkdir -p $(@D)
	od -An -v -tu1 $< | sed -e 's/^ *//' -e 's/  */,/g' -e 's/$$/,/' >$@
SHOWN := $(patsubst lib/show/%,$(BUILD)/show/%.inc,$(wildcard lib/show/*.css lib/show/*.js))
$(BUILD)/lib/show/page_frame.o $(BUILD)/lib/show/picture_draw.o: $(SHOWN)

# The header and the pkg-config file of the library, as they are installed.  The
# latter depends on where that is; its folders are relative to the prefix, if they
# are in it, so that they can be moved.
$(BUILD)/include/ctx.h: lib/api/ctx.h
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(VERSION)/' lib/api/ctx.h >$@

define PC
prefix=$(PREFIX)
includedir=$(subst $(PREFIX)/,$${prefix}/,$(INCLUDEDIR))
libdir=$(subst $(PREFIX)/,$${prefix}/,$(LIBDIR))

Name: ctx
Description: Message histories for language models: check, cut, count, convert, store
Version: $(VERSION)
Requires: jansson libpcre2-8 sqlite3 libzstd
Cflags: "-I$${includedir}"
Libs: "-L$${libdir}" -lctx -lm -pthread
endef
export PC
.PHONY: $(BUILD)/ctx.pc
$(BUILD)/ctx.pc:
	@printf '%s\n' "$$PC" >$@

# Unit tests: one program for each module, linked with everything.
$(BUILD)/unit/%: $(BUILD)/tests/unit/%.o $(CLI) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^ \
	    $(SHARED) $(CURL) $(ICONV) -lm

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d \
	$(BUILD)/*/*/*/*/*.d)

# A test examines the outcome of a call and may ignore results on the way to it.
$(BUILD)/tests/%.o: ALL_CFLAGS += -Wno-unused-result

check-unit: $(UNIT) $(TABLES)
	BUILD=$(BUILD) tests/run --unit

check: all $(UNIT) $(BUILD)/shared/ctx-store $(BUILD)/fuzz/replay
	BUILD=$(BUILD) tests/run

# Do the tests detect faults?  Expectations are altered, and faults are planted.
MUTANTS ?= 100
SEED ?= $(shell date +%s)
check-tests: all
	BUILD=$(BUILD) tests/mutants/expectations -s $(SEED)
	tests/mutants/faults -s $(SEED) -n $(MUTANTS) --goal 95

ASAN = -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
# With gcc's runtime linked in and without relocations, a process starts in half of
# the time, and with the functions that it looks for in two thirds of that.
STATIC_ASAN = $(if $(findstring Free Software,$(shell $(CC) --version)),\
	-static-libasan -static-libubsan -no-pie \
	-Xlinker --no-as-needed $(CURDIR)/build/asan/absent.so)
build/asan/absent.so: tests/stub/absent.c
	@mkdir -p $(@D)
	$(CC) -O1 -fno-builtin -fPIC -shared -nostdlib -o $@ $<
asan: build/asan/absent.so
	$(MAKE) BUILD=build/asan CFLAGS='$(ASAN)' \
	    LDFLAGS='-fsanitize=address,undefined $(STATIC_ASAN)' check

# Which tests reach what others do, so that sanitizers need not run them?  This takes as
# long as all tests, one after the other.
EDGES = -O1 -g1 -fsanitize-coverage=inline-8bit-counters,pc-table
build/edges/count.o: tests/edges/count.c
	@mkdir -p $(@D)
	clang -D_GNU_SOURCE -O2 -fPIE -c -o $@ $<
edges: build/edges/count.o
	$(MAKE) BUILD=build/edges CC=clang HARDEN= CFLAGS='$(EDGES)' \
	    LDFLAGS=$(CURDIR)/build/edges/count.o edges-built
	tests/edges/choose build/edges >build/edges/elsewhere
	mv build/edges/elsewhere tests/edges/elsewhere
edges-built: all $(UNIT) $(BUILD)/shared/ctx-store $(BUILD)/fuzz/replay
.PHONY: edges edges-built

# clang's sanitizers detect more (a null pointer plus 0).  The runtime is shared,
# so that libraries preloaded by tests come before it.
SHARED_ASAN = -shared-libsan -Wl,-rpath,$$(dirname \
	$$(clang -print-file-name=libclang_rt.asan-$$(uname -m).so))
asan-clang:
	LEAKS=1 $(MAKE) BUILD=build/asan-clang CC=clang CFLAGS='$(ASAN)' \
	    LDFLAGS="-fsanitize=address,undefined $(SHARED_ASAN)" check

# Races of threads: the C tests that have some, and the bats files of -j, of helpers
# and requests at the same time, and of the library in threads.  A report fails,
# whatever the exit status of the program was.
TSAN = -O1 -g1 -fsanitize=thread -fno-omit-frame-pointer
TSAN_UNIT = convert_job cut job_clean job_digest job_fold job_run line nomem_clean \
	nomem_convert nomem_count nomem_fold owners prepare sandbox tally
TSAN_BATS = digest-files jobs library shard stash summarize-asks vocab
tsan:
	rm -rf build/tsan/races && mkdir -p build/tsan/races
	$(MAKE) BUILD=build/tsan CFLAGS='$(TSAN)' LDFLAGS=-fsanitize=thread \
	    all $(TSAN_UNIT:%=build/tsan/unit/test_%)
	BUILD=build/tsan TSAN_OPTIONS="log_path=$(CURDIR)/build/tsan/races/of" \
	    tests/run $(TSAN_BATS:%=%.bats); \
	    rc=$$?; ! cat build/tsan/races/of.* 2>/dev/null && exit $$rc

# Numbers that wrap around or lose digits, null where a pointer is promised, floats
# divided by zero: the programs go on and write reports; tests/analyze/wraps has what
# is meant.  What shifts out is meant everywhere.
INTEGER = -fsanitize=integer,implicit-conversion,nullability,float-divide-by-zero \
	-fno-sanitize=unsigned-shift-base
INTEGER_BATS = clean convert count diff digest-files digest-kinds search show \
	show-html store store-foreign store-rescue truncate
integer:
	rm -rf build/integer/reports && mkdir -p build/integer/reports
	chmod 1777 build/integer/reports	# some tests run as another user
	$(MAKE) BUILD=build/integer CC=clang CFLAGS='-O1 -g1 $(INTEGER)' \
	    LDFLAGS='$(INTEGER)' all $(UNIT:$(BUILD)/%=build/integer/%)
	BUILD=build/integer UBSAN_OPTIONS="log_path=$(CURDIR)/build/integer/reports/of" \
	    tests/run $(INTEGER_BATS:%=%.bats)
	tests/analyze/run --reports build/integer/reports

# Memory that is read before it is set, or lost: the C tests under valgrind, without
# fortified functions, which it does not know.
valgrind:
	$(MAKE) BUILD=build/valgrind CFLAGS='-O1 -g -DCTX_NO_JIT' HARDEN= \
	    $(UNIT:$(BUILD)/%=build/valgrind/%) $(TABLES:$(BUILD)/%=build/valgrind/%)
	BUILD=build/valgrind tests/valgrind

# gcc -fanalyzer, clang-tidy and cppcheck; tests/analyze/accepted has what is no fault.
analyze: $(SHOWN)
	tests/analyze/run --flags "$(subst ",\",$(ALL_CPPFLAGS) \
	    $(PQ_CPPFLAGS))" $(ANALYZE) || \
	    [ $$? -eq 77 ]

# Make every allocation of every command fail in turn; -v prints all errors.
$(BUILD)/fault/%.so: tests/fault/%.c tests/fault/fails.h
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fPIC -shared -o $@ $< -ldl

check-alloc: all $(BUILD)/fault/failalloc.so
	tests/fault/allocs.py -b $(BUILD) -l $(BUILD)/fault/failalloc.so \
	    $(ALLOC_FLAGS)

# Make every call of SQLite by ctx-store fail in turn.
check-db: all $(BUILD)/fault/faildb.so $(BUILD)/shared/ctx-store
	tests/fault/allocs.py -b $(BUILD)/shared -l $(BUILD)/fault/faildb.so \
	    $(ALLOC_FLAGS) -x ctx-store-pg ctx-store

# The ledger's law for many more random histories than in check, and the others for
# a tenth of those.
HISTORIES ?= 10000
check-laws: all
	SEED=$(SEED) HISTORIES=$(HISTORIES) BUILD=$(BUILD) \
	    bats -f random tests/ledger.bats
	SEED=$(SEED) HISTORIES=$$(($(HISTORIES) / 10)) BUILD=$(BUILD) \
	    bats tests/property.bats
	SEED=$(SEED) HISTORIES=$$(($(HISTORIES) / 10)) BUILD=$(BUILD) \
	    bats -f 'any history|there and back|mutated histories' \
	    tests/convert.bats tests/dialects.bats
	SEED=$(SEED) SESSIONS=$$(($(HISTORIES) / 10)) BUILD=$(BUILD) \
	    bats -f random tests/sessions.bats
	for s in $$(seq $(SEED) $$(($(SEED) + 9))); do \
		SEED=$$s BUILD=$(BUILD) \
		    bats tests/shard.bats tests/scale.bats || exit; \
	done

# The laws of cleaning and cutting for all histories of up to 6 messages over 3 ids;
# check has 4.
MESSAGES ?= 6
check-exhaustive: $(BUILD)/unit/test_every
	$(BUILD)/unit/test_every $(MESSAGES)

# What check takes parts of (`some` in tests/helpers.bash): all damages with all commands,
# all laws for other people's histories; and the tarball, built and tested.
check-whole: all
	DIST_BUILD=1 BUILD=$(BUILD) bats -f 'the tarball builds' tests/install.bats
	WHOLE=1 BUILD=$(BUILD) bats \
	    $$(grep -lE '^[[:space:]]+(some|in_turn) |WHOLE' tests/*.bats)
	tests/data/logs/make check

# Do the SDKs' own types, from npm, take what ctx-convert writes?  Without npm or a
# network this is skipped; SCHEMAS has options for tests/schemas/run.
check-schemas: all
	BUILD=$(abspath $(BUILD)) tests/schemas/run $(SCHEMAS) || [ $$? -eq 77 ]

# Do coding agents, from npm, resume what ctx leaves of their sessions?  Without npm
# or a network this is skipped; AGENTS has options for tests/agents/run.
check-agents: all
	BUILD=$(abspath $(BUILD)) tests/agents/run $(AGENTS) || [ $$? -eq 77 ]

# The pages of ctx-show in Chromium (tests/setup --browser); without one this is skipped.
check-browser: all
	BUILD=$(abspath $(BUILD)) bats tests/browser

# What people see in tmux (tests/setup --browser); without it this is skipped.
check-screens: all
	BUILD=$(abspath $(BUILD)) bats tests/screens

# Do the recipes of ctx-scale(7) keep their word when workers, hosts and engines are
# killed?  Those whose engine is not installed are skipped and say so.
check-engines: all
	BUILD=$(abspath $(BUILD)) bats tests/engines

# 80 rounds with each agent of ctx-cookbook(7): is each request valid, and what does
# it take?
ROUNDS ?= 80
check-rounds: all
	PYTHONDONTWRITEBYTECODE=1 python3 tests/rounds.py $(BUILD) $(ROUNDS)

# Run both commands of README.md on bare machines of several distributions; this
# needs root.  FRESH has options for tests/fresh.
check-fresh:
	tests/fresh $(FRESH)

# Do the packages of tests/packages build, and does what they install work?  Those of
# Debian are built in a bare root, which needs root; what is missing is said.
check-packages:
	bats tests/packages

# The tests of the store, which run on files in check, on a server of PostgreSQL, and
# those of its commands also through PgBouncer.
check-pg: all
	CTX_TEST_DB=postgresql BUILD=$(BUILD) bats $(PG_TESTS)
	CTX_TEST_DB=pgbouncer BUILD=$(BUILD) bats tests/store.bats

PG_TESTS ?= tests/store.bats tests/search.bats tests/embed.bats tests/relevant.bats \
	tests/store-users.bats tests/store-memory.bats tests/store-import.bats \
	tests/store-prune.bats \
	tests/store-verify.bats tests/store-files.bats tests/store-follow.bats \
	tests/pg-export.bats tests/pg-order.bats tests/pg-concurrent.bats \
	tests/pg-faults.bats \
	tests/pg-standby.bats tests/pg-damage.bats

# Other processors, another C library, and other compilers and levels of optimization;
# see tests/machines/run and compilers.  What is missing here is named and skipped.
check-cross: all
	HERE=$(abspath $(BUILD)) tests/machines/run aarch64 s390x || [ $$? -eq 77 ]
check-m32:
	tests/machines/run i386 || [ $$? -eq 77 ]
check-musl:
	tests/machines/run musl || [ $$? -eq 77 ]
check-compilers:
	tests/machines/compilers || [ $$? -eq 77 ]
check-static: all static
	BUILD=$(BUILD) bats tests/machines/static.bats

# Checks that take longer than a change should wait; one target on each line.
CHECK_SLOW = \
	check-agents \
	check-alloc \
	check-browser \
	check-compilers \
	check-cross \
	check-db \
	check-engines \
	check-exhaustive \
	check-fresh \
	check-laws \
	check-m32 \
	check-musl \
	check-packages \
	check-pg \
	check-rounds \
	check-schemas \
	check-screens \
	check-static \
	check-tests \
	check-whole \
	analyze \
	asan-clang \
	integer \
	tsan \
	valgrind
.PHONY: $(CHECK_SLOW)
check-slow: $(CHECK_SLOW)

# All of it, with a table at the end of what passed, failed or was skipped.
check-all:
	MAKE='$(MAKE_COMMAND)' tests/all lint check asan $(CHECK_SLOW) fuzz

# Fuzzing needs clang with libFuzzer.  With any compiler, build/fuzz/replay runs the
# same targets on inputs; check does so with those in tests/fuzz/corpus.
FUZZ := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CC ?= clang
FUZZ_SECONDS ?= 20
FUZZ_LIBS = $(LIB) $(SHARED) $(CURL) $(ICONV) -lm
# Those whose inputs are lines of JSON have a mutator of their own.
FUZZ_JSON = ask clean convert cut embed foreign response show stream view vocab

# For replay, each target has a name of its own.
ifndef FUZZING
$(FUZZ:%=$(BUILD)/tests/fuzz/%.o): ALL_CPPFLAGS += \
	-DLLVMFuzzerTestOneInput=$(patsubst $(BUILD)/tests/fuzz/%.o,%,$@)
endif
$(BUILD)/tests/fuzz/replay.o: ALL_CPPFLAGS += -DTARGETS='$(patsubst %,T(%),$(FUZZ))'
$(BUILD)/tests/fuzz/replay.o: $(wildcard tests/fuzz/fuzz_*.c)

$(BUILD)/fuzz/replay: $(FUZZ:%=$(BUILD)/tests/fuzz/%.o) \
	$(BUILD)/tests/fuzz/history.o $(BUILD)/tests/fuzz/replay.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(FUZZ_LIBS)

$(BUILD)/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/history.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(FUZZ_LIBS)
$(FUZZ_JSON:%=$(BUILD)/fuzz/fuzz_%): $(BUILD)/tests/fuzz/mutate.o

# Run each target for FUZZ_SECONDS; build/fuzzing keeps what they find from run to
# run.  fuzz-report prints the table of all runs so far.
fuzz: fuzz-build
	tests/fuzz/run build/fuzzing $(FUZZ_SECONDS) $(FUZZ)

fuzz-build:
	$(MAKE) BUILD=build/fuzzing CC=$(FUZZ_CC) FUZZING=1 \
	    CFLAGS='$(ASAN) -fsanitize=fuzzer-no-link' \
	    LDFLAGS='-fsanitize=address,undefined' \
	    $(FUZZ:%=build/fuzzing/fuzz/%)

fuzz-report:
	@tests/fuzz/run build/fuzzing 0

fuzz-coverage:
	$(MAKE) BUILD=build/fuzzcov CC=$(FUZZ_CC) HARDEN= \
	    CFLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping' \
	    LDFLAGS=-fprofile-instr-generate build/fuzzcov/fuzz/replay
	tests/fuzz/coverage build/fuzzcov build/fuzzing/corpus
.PHONY: fuzz-build fuzz-coverage fuzz-report

# Run every executable tests/bench/*.bench; they print tables to standard output.
$(BUILD)/bench/measure: tests/bench/measure.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $<

$(BUILD)/bench/scan: tests/bench/scan.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $^

bench: all $(BUILD)/bench/measure $(BUILD)/bench/scan
	BUILD=$(BUILD) tests/bench/run

# The pictures of README.md, from a log of our own.
pictures: $(BUILD)/ctx-show $(TABLES)
	for p in bar treemap plot; do \
		$(BUILD)/ctx-show -q -m claude-opus-4-1 --svg $$p \
		    tests/data/logs/audit.claude-code.jsonl \
		    >man/pictures/$$p.svg || exit; \
	done
.PHONY: pictures

# The manual pages as a site; man/site/build is given the folder.
html:
	man/site/build $(BUILD)/html
.PHONY: html

MAN1 := $(wildcard man/*.1)
MAN3 := $(wildcard man/*.3)
MAN5 := $(wildcard man/*.5)
MAN7 := $(wildcard man/*.7)
TUTORIAL := $(wildcard man/tutorial/*)

# $(call into,FOLDER,MODE,FILES): install FILES in FOLDER.
define into
	$(INSTALL) -d $(call q,$(DESTDIR)$(1))
	$(INSTALL) -m $(2) $(3) $(call q,$(DESTDIR)$(1))

endef

install: all $(BUILD)/include/ctx.h $(BUILD)/ctx.pc
	$(call into,$(BINDIR),755,$(BINS))
	$(call into,$(LIBEXECDIR),755,$(HELPER_BINS))
	$(call into,$(MANDIR)/man1,644,$(MAN1))
	$(call into,$(LIBDIR),644,$(LIB))
	$(call into,$(LIBDIR)/pkgconfig,644,$(BUILD)/ctx.pc)
	$(call into,$(INCLUDEDIR),644,$(BUILD)/include/ctx.h)
	$(call into,$(MANDIR)/man3,644,$(MAN3))
	$(call into,$(MANDIR)/man5,644,$(MAN5))
	$(call into,$(MANDIR)/man7,644,$(MAN7))
	$(call into,$(VOCABDIR),644,$(TABLES))
	$(call into,$(TUTORIALDIR),644,$(filter-out %.sh,$(TUTORIAL)))
	$(call into,$(TUTORIALDIR),755,$(filter %.sh,$(TUTORIAL)))
	$(call into,$(ZSHCOMPDIR),644,completions/zsh/_ctx)
	$(INSTALL) -d $(call q,$(DESTDIR)$(BASHCOMPDIR)) \
	    $(call q,$(DESTDIR)$(FISHCOMPDIR))
	set -e; for c in $(COMMANDS); do \
		$(INSTALL) -m 644 completions/bash/ctx \
		    $(call q,$(DESTDIR)$(BASHCOMPDIR))/$$c; \
		$(INSTALL) -m 644 completions/fish/ctx.fish \
		    $(call q,$(DESTDIR)$(FISHCOMPDIR))/$$c.fish; \
	done

# $(call out_of,FOLDER,NAMES): remove NAMES from FOLDER if they exist.
define out_of
	set -e; for f in $(2); do rm -f $(call q,$(DESTDIR)$(1))/$$f; done

endef

# Remove what install installed, but no folder that other programs use.
uninstall:
	$(call out_of,$(BINDIR),$(COMMANDS))
	$(call out_of,$(LIBEXECDIR),$(HELPERS))
	$(call out_of,$(LIBDIR),$(notdir $(LIB)) pkgconfig/ctx.pc)
	$(call out_of,$(INCLUDEDIR),ctx.h)
	$(call out_of,$(MANDIR),$(MAN1:man/%=man1/%) $(MAN3:man/%=man3/%))
	$(call out_of,$(MANDIR),$(MAN5:man/%=man5/%) $(MAN7:man/%=man7/%))
	$(call out_of,$(VOCABDIR),$(notdir $(TABLES)))
	$(call out_of,$(TUTORIALDIR),$(notdir $(TUTORIAL)))
	$(call out_of,$(ZSHCOMPDIR),_ctx)
	$(call out_of,$(BASHCOMPDIR),$(COMMANDS))
	$(call out_of,$(FISHCOMPDIR),$(COMMANDS:%=%.fish))
	for d in $(call q,$(DESTDIR)$(TUTORIALDIR)) $(call q,$(DESTDIR)$(VOCABDIR)) \
	    $(call q,$(DESTDIR)$(LIBEXECDIR)); do \
		[ ! -d "$$d" ] || [ -n "$$(ls -A "$$d")" ] || rmdir "$$d"; \
	done

# Pack the source of this version, as git has it.
dist:
	@mkdir -p $(BUILD)
	git archive --format=tar.gz --prefix=ctx-$(VERSION)/ \
	    -o $(BUILD)/ctx-$(VERSION).tar.gz HEAD

# What a release consists of: source, programs, SBOM and checksums.
release:
	tests/packages/release $(BUILD)/release

# Print the hardening flags in use, for the tests.
harden:
	@echo $(HARDEN)

# Run all static checks; tools that are missing are named.
LINT_CFLAGS = -O2 -Werror
SHELL_FILES = .ci/run .ci/transcripts man/site/build tests/run tests/all \
	tests/valgrind tests/setup tests/try tests/fresh tests/bench/run tests/fuzz/run tests/fuzz/words \
	tests/fuzz/coverage tests/packages/release tests/packages/kit.bash \
	tests/packages/debian/tests/smoke tests/packages/debian/tests/library \
	tests/machines/run tests/machines/sysroot tests/machines/musl \
	tests/machines/compilers \
	tests/helpers.bash tests/portable.bash tests/endpoint.bash \
	tests/scale.bash tests/roots.bash \
	completions/bash/ctx
lint:
	@set -e; for cc in gcc clang; do \
		if command -v $$cc >/dev/null; then \
			echo "lint: $$cc -Werror"; \
			$(MAKE) -s CC=$$cc BUILD=build/lint-$$cc \
			    CFLAGS='$(LINT_CFLAGS)' all lint-unit; \
		else echo "lint: no $$cc here"; fi; \
	done
	@if command -v mandoc >/dev/null; then \
		echo "lint: mandoc"; mandoc -T lint -W warning man/*.[1-9]; \
	else echo "lint: no mandoc here"; fi
	@if command -v shellcheck >/dev/null; then \
		echo "lint: shellcheck"; shellcheck $(SHELL_FILES); \
	else echo "lint: no shellcheck here"; fi
	@echo "lint: done"

lint-unit: $(UNIT) $(BUILD)/fuzz/replay

clean:
	rm -rf build
