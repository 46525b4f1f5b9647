/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "digest/lang.h"

/*
 * Parts of patterns.  Bytes above 0x7f count as letters: names may be Chinese.
 */
#define ID	"[A-Za-z_\\x80-\\xff][\\w\\x80-\\xff]*+"
#define JSID	"[A-Za-z_$\\x80-\\xff][\\w$\\x80-\\xff]*+"
#define B	"^[ \\t]*+"				/* a line begins */
#define STMT	"(?:\\A|(?<=[;{}]))\\s*+"		/* a statement begins */
#define PAREN	"(?&P)"				/* ( ... ), nested */
#define ANGLE	"(?&A)"				/* < ... >, nested */
#define BRACES	"(?&B)"				/* { ... }, nested */
#define ATTR	"(?:__\\w++|[A-Z][A-Z0-9_]++|alignas|noexcept|throw|" \
	"requires)\\b"

/* Strings of most languages: both quotes, within a line. */
#define BOTH	(CTX_L_DQ | CTX_L_SQ)
/* C and similar languages: characters in single quotes. */
#define CLIKE	(CTX_L_DQ | CTX_L_SQ)
#define SLASHES	{ "//", NULL }, "/*", "*/"
#define HASH	{ "#", NULL }, NULL, NULL

/* Heads of blocks in which C and C++ have declarations. */
#define C_SCOPE	"^\\s*+(?:(?:typedef|static|const|volatile|extern)\\s++)*+" \
	"(?:struct|union)\\b(?:\\s*" ATTR "\\s*\\(\\))?[^()=]{0,400}$|" \
	"^\\s*+extern\\s*+\"C\"\\s*$"
#define CXX_SCOPE "^\\s*+(?:(?:public|private|protected)\\s*+:\\s*+)*+" \
	"(?:template\\s*+" ANGLE "\\s*+)*+" \
	"(?:(?:typedef|static|const|inline|export|extern|[A-Z_]++)\\s++)*+" \
	"(?:class|struct|union|namespace)\\b(?:\\s*\\w+\\s*\\(\\))*" \
	"[^()]{0,400}+$|^\\s*+extern\\s*+\"C(?:\\+\\+)?\"\\s*$|" \
	"^\\s*+[A-Z][A-Z0-9_]+(?:\\s*\\(\\))?\\s*$"
#define NOT_C	"(?!(?:if|for|while|switch|return|sizeof|defined|do|else|" \
	"catch|alignas|decltype|noexcept|throw|requires|" \
	"alignof|__\\w+)\\b)"
#define C_TAIL	"(?:\\s*+(?:" ATTR "\\s*+\\(\\)|[A-Za-z_]\\w*+)){0,8}+" \
	"(?:[\\w\\s*,\\[\\]]*+;){0,30}+\\s*+\\{"
#define C_FUNC	"(?<![\\w.>=])" NOT_C "(" ID ")\\s*+\\(\\)" C_TAIL

/*
 * In headers, declarations count too: a type, a name, () and whatever may
 * precede the semicolon.
 */
#define C_PROTO	"(?:\\A|(?<=[;{}]))(?:[\\w:*&,\\s]|(?&A)|" ATTR \
	"\\s*+\\(\\))*?[\\w*&>]\\s*+(?<![\\w:~.])" NOT_C "(" ID ")\\s*+\\(\\)" \
	"(?:\\s*+(?:" ATTR "\\s*+\\(\\)|[A-Za-z_]\\w*+|=\\s*+0|=\\s*" \
	"+default|=\\s*+delete|->[^;{}]{0,400}+))*+\\s*+;"

#define C_TYPES	{ CTX_TYPES, "\\b(?:struct|union|enum)\\s++(?:" ATTR \
	    "\\s*+(?:\\(\\))?\\s*+)?(" ID ")\\s*+\\{" }, \
	{ CTX_TYPES, "\\btypedef\\b(?!\\s++typedef)(?:[^;{}]{0,200}?" \
	    "\\(\\s*\\*\\s*(" ID ")\\s*\\)|(?:[^;{}()]{0,200}+" BRACES \
	    ")?+[^;{}()]{0,200}?(?<!\\w)(" ID \
	    ")\\s*+(?:\\[[^\\]]{0,99}+\\]\\s*+)*+;)" }
#define CXX_FUNC "(?<![\\w.>=])" NOT_C "((?:" ID "\\s*+" \
	    "(?:<[^<>;{}()]{0,400}+>\\s*+)?::\\s*+)*+(?:~\\s*+)?" \
	    "(?:operator\\s*+(?:\\(\\)|[^\\s\\w(]{1,3}|[\\w:<>*&\\s]+?)|" ID \
	    "))\\s*+\\(\\)(?:\\s*+(?:->[^;{}]{0,400}+|" ATTR \
	    "\\s*+\\(\\)|[A-Za-z_]\\w*+|&&?)){0,8}+" \
	    "(?:\\s*+:(?!:)[^;{}]{0,900}+)?+\\s*+\\{"
#define CXX_TYPES { CTX_CLASSES, "(?<![\\w<,])(?<!enum )(?:class|struct|" \
	"union)\\s++" \
	    "(?:\\w+\\s*\\(\\)\\s*|[A-Z_]++\\s++(?!final\\b)(?=\\w))*+(" ID \
	    ")[^;{}()=]{0,400}+\\{" }, \
	{ CTX_TYPES, "\\benum\\s++(?:class\\s++|struct\\s++)?(" ID \
	    ")[^;{}()=]{0,400}+\\{" }

/* function f(, f = function, f: x =>, and what precedes a method. */
#define JS_FUNC	"\\bfunction\\b\\s*+\\*?\\s*+(" JSID ")\\s*+[(<]|" \
	"(?:(?<![\\w$-])(" JSID ")|[\"']([\\w$.-]++)[\"'])\\s*+[=:]\\s*+" \
	"(?=(?:async\\b\\s*+)?(?:function\\b|(?:" ANGLE "\\s*+)?(?:" JSID \
	    "|" PAREN \
	"(?:\\s*+:[^;{}=()]{1,400}+)?)\\s*+=>))"
#define JS_MODS	"(?:(?:static|async|get|set|public|private|protected|" \
	"readonly|abstract|override|declare|export|default)\\s++)*+\\*?\\s*+"
#define JS_NAME	"[\"']?(?!(?:if|for|while|switch|catch|with|function|" \
	"return|else|do|await|new|typeof)\\b)(#?" JSID ")[\"']?"

const struct ctx_lang ctx_langs[] = {
	{ "python", CTX_FILE_CODE, " .py .pyw .pyi .pyx sconstruct sconscript "
	    "wscript ", " python python2 python3 pypy3 ",
	    BOTH | CTX_L_TRIPLE, HASH, NULL, {
		{ CTX_FUNCTIONS, B "(?:(?:async|cpdef|cdef)[ \\t]++)?"
		    "def[ \\t]++(" ID ")" },
		{ CTX_CLASSES, B "(?:cdef[ \\t]++)?class[ \\t]++(" ID ")" } } },
	{ "javascript", CTX_FILE_CODE, " .js .mjs .cjs .jsx jakefile ",
	    " node nodejs ", BOTH | CTX_L_BQ | CTX_L_IN_DOLLAR | CTX_L_REGEX,
	    SLASHES, NULL, {
		{ CTX_FUNCTIONS, JS_FUNC "|" B JS_MODS JS_NAME "\\s*+" PAREN
		    "\\s*+\\{" },
		{ CTX_CLASSES, "(?<![\\w.$])class\\s++(?!extends\\b)(" JSID
		    ")\\s*+(?:extends\\b|\\{)" } } },
	{ "typescript", CTX_FILE_CODE, " .ts .tsx .mts .cts ",
	    " ts-node deno bun ",
	    BOTH | CTX_L_BQ | CTX_L_IN_DOLLAR | CTX_L_REGEX, SLASHES, NULL, {
		{ CTX_FUNCTIONS, JS_FUNC "|" B JS_MODS JS_NAME
		    "\\??\\s*+(?:" ANGLE "\\s*+)?" PAREN "\\s*+(?:\\{|:"
		    "[^;{}=]{1,200}+(?:=>[^;{}=]{0,200}+){0,3}+"
		    "[;{])" },
		{ CTX_CLASSES, "(?<![\\w.$])(?:class|interface|enum)\\s++"
		    "(?!extends\\b|implements\\b)(" JSID ")" },
		{ CTX_TYPES, B "(?:export\\s++)?(?:declare\\s++)?type\\s++("
		    JSID ")\\s*+(?:" ANGLE "\\s*+)?=" } } },
	{ "shell", CTX_FILE_CODE, " .sh .bash .ksh .zsh .dash .bats .bashrc "
	    ".profile .zshrc .bash_profile pkgbuild .ebuild ",
	    " sh bash dash ksh zsh bats ", CTX_L_DQ_LINES | CTX_L_DQ |
	    CTX_L_SQ | CTX_L_SQ_LINES | CTX_L_PLAIN_SQ | CTX_L_HERE |
	    CTX_L_HERE_SPACE | CTX_L_HASH_WORD | CTX_L_IN_PAREN, HASH, NULL, {
		{ CTX_FUNCTIONS, B "(?:function[ \\t]++([\\w:.+-]+)|"
		    "([\\w:.+-]++)[ \\t]*+\\([ \\t]*+\\))" } } },
	{ "r", CTX_FILE_CODE, " .r .rprofile ", " rscript ",
	    BOTH | CTX_L_DQ_LINES | CTX_L_SQ_LINES | CTX_L_RAW_PAREN, HASH,
	    NULL, {
		{ CTX_FUNCTIONS, "(?:(?<![\\w.$@])([A-Za-z.][\\w.]*+)|`"
		    "([^`\\n]+)`|"
		    "[\"']([^\"'\\n]+)[\"'])\\s*+<<?-\\s*+function\\b|"
		    "^([A-Za-z.][\\w.]*+)\\s*+=\\s*+function\\b" },
		{ CTX_CLASSES, "\\b(?:setClass|setRefClass|R6Class)\\s*+"
		    "\\(\\s*+\"([\\w.]+)" } } },
	{ "java", CTX_FILE_CODE, " .java ", "", CLIKE | CTX_L_TRIPLE,
	    SLASHES,
	    "\\b(?:class|interface|enum|record)\\s++" ID, {
		{ CTX_FUNCTIONS, STMT "(?:@[\\w.]++\\s*+(?:\\(\\)\\s*+)?|"
		    "[\\w.]++\\s++|[\\w.]*+" ANGLE "\\s*+(?:\\[\\]\\s*+)*+|"
		    "\\w++(?:\\s*+\\[\\])++\\s*+)*?(" ID ")\\s*+\\(\\)\\s*+"
		    "(?:\\[\\]\\s*+)?(?:throws[^;{}=]{0,400}+)?"
		    "(?:default[^;{}]{0,400}+)?[;{]" },
		{ CTX_CLASSES, "(?<![\\w.])(?:class|interface|enum|record)"
		    "\\s++("
		    ID ")" } } },
	{ "c", CTX_FILE_CODE, " .c ", " tcc ", CLIKE | CTX_L_CPP |
	    CTX_L_MARGIN, SLASHES, C_SCOPE, {
		{ CTX_FUNCTIONS, C_FUNC },
		C_TYPES } },
	{ "c", CTX_FILE_CODE, " .h ", "", CLIKE | CTX_L_CPP |
	    CTX_L_MARGIN, SLASHES, C_SCOPE, {
		{ CTX_FUNCTIONS, C_FUNC "|" C_PROTO },
		C_TYPES } },
	{ "c++", CTX_FILE_CODE, " .cc .cpp .cxx .c++ .cu .ino ", "", CLIKE
	    | CTX_L_CPP |
	    CTX_L_RAW_PAREN, SLASHES, CXX_SCOPE, {
		{ CTX_FUNCTIONS, CXX_FUNC },
		CXX_TYPES } },
	{ "c++", CTX_FILE_CODE, " .hpp .hh .hxx .h++ .inl .ipp "
	    ".tpp .cuh ", "", CLIKE | CTX_L_CPP |
	    CTX_L_RAW_PAREN, SLASHES, CXX_SCOPE, {
		{ CTX_FUNCTIONS, CXX_FUNC "|" C_PROTO },
		CXX_TYPES } },
	{ "go", CTX_FILE_CODE, " .go ", "", CTX_L_DQ | CTX_L_BQ | CTX_L_CHAR |
	    CTX_L_PLAIN_SQ, SLASHES, NULL, {
		{ CTX_FUNCTIONS, "^func\\s++(?:\\([^)]{0,400}+\\)\\s*+)?("
		    ID ")" },
		{ CTX_TYPES, "\\btype\\s++(" ID ")\\b(?!\\s*+\\()" } } },
	{ "rust", CTX_FILE_CODE, " .rs ", "", CTX_L_DQ | CTX_L_DQ_LINES |
	    CTX_L_CHAR | CTX_L_RAW_HASH | CTX_L_NEST, SLASHES, NULL, {
		{ CTX_FUNCTIONS, "\\bfn\\s++(?:r#)?(" ID ")" },
		{ CTX_TYPES, "(?<![\\w.$:])(?:struct|enum|trait|union)\\s++("
		    ID ")\\s*+[<{(;:w]" } } },
	{ "php", CTX_FILE_CODE, " .php .phtml .php5 .php7 .inc ", " php ",
	    BOTH | CTX_L_DQ_LINES | CTX_L_SQ_LINES | CTX_L_HERE_PHP |
	    CTX_L_TAGS, { "//", "#" }, "/*", "*/", NULL, {
		{ CTX_FUNCTIONS, "(?i)(?<![\\w$>:])function\\s++&?\\s*+(" ID
		    ")\\s*+\\(" },
		{ CTX_CLASSES, "(?i)(?<![\\w$>:])(?<!new )"
		    "(?:class|interface|trait|enum)\\s++"
		    "(?!extends\\b|implements\\b)(" ID ")\\s*+"
		    "(?:extends|implements|\\{|:)" } } },
	{ "ruby", CTX_FILE_CODE, " .rb .rake .gemspec .ru .podspec rakefile "
	    "gemfile vagrantfile podfile fastfile guardfile brewfile ",
	    " ruby ", BOTH | CTX_L_DQ_LINES | CTX_L_SQ_LINES | CTX_L_IN_HASH |
	    CTX_L_REGEX | CTX_L_HERE | CTX_L_HERE_SHIFT | CTX_L_PERCENT |
	    CTX_L_POD | CTX_L_HASH_WORD, HASH, NULL, {
		{ CTX_FUNCTIONS, B "(?:\\w++[ \\t]++)?def[ \\t]++"
		    "(?:[A-Za-z_][\\w:]*+\\.)?([A-Za-z_]\\w"
		    "*+[?!]?(?:=(?=[ (]))?|"
		    "\\[\\]=?|[+!~-]@?|[=<>*/%&|^]{1,3}|==|=~)" },
		{ CTX_CLASSES, "(?:^|;)[ \\t]*+(?:class|module)[ \\t]++"
		    "((?:::)?[A-Z][\\w:]*+)" } } },
	{ "c#", CTX_FILE_CODE, " .cs .csx ", "", CLIKE | CTX_L_VERBATIM |
	    CTX_L_TRIPLE | CTX_L_CPP, SLASHES,
	    "\\b(?:class|interface|struct|record|namespace)\\s++" ID, {
		{ CTX_FUNCTIONS, STMT "(?:\\[[^\\]]{0,400}+\\]\\s*+|"
		    "[\\w.]++[?]?\\s++|[\\w.]*+" ANGLE "[?]?\\s*+|"
		    "\\w++[?]?(?:\\s*+\\[\\])++\\s*+|\\(\\)\\s*+)*?~?(" ID
		    ")\\s*+"
		    "(?:" ANGLE "\\s*+)?\\(\\)\\s*+(?::[^;{}=]{0,400}+|"
		    "where[^;{}=]{0,400}+)?(?:[;{]|=>)" },
		{ CTX_CLASSES, "(?<![\\w.])(?:class|interface|struct|record)"
		    "\\s++(?:struct\\s++|class\\s++)?(" ID ")" },
		{ CTX_TYPES, "(?<![\\w.])enum\\s++(" ID ")" } } },
	{ "kotlin", CTX_FILE_CODE, " .kt .kts ", "", CLIKE | CTX_L_TRIPLE |
	    CTX_L_NEST | CTX_L_IN_DOLLAR, SLASHES, NULL, {
		{ CTX_FUNCTIONS, "\\bfun\\s++(?:" ANGLE "\\s*+)?"
		    "(?:[\\w.?]+(?:<[^>]{0,400}+>)?[?]?\\.)?(" ID "|`[^`\\n]+`)"
		    "\\s*+\\(" },
		{ CTX_CLASSES, "(?<![\\w.:])(?:class|interface|object)\\s++(" ID
		    ")" },
		{ CTX_TYPES, B "typealias\\s++(" ID ")" } } },
	{ "swift", CTX_FILE_CODE, " .swift ", " swift ", CTX_L_DQ |
	    CTX_L_TRIPLE | CTX_L_NEST, SLASHES, NULL, {
		{ CTX_FUNCTIONS, "\\bfunc\\s++(" ID "|`" ID "`|[^\\s\\w(<]+)" },
		{ CTX_CLASSES, "(?<![\\w.])(?:class|struct|protocol|actor|"
		    "enum)\\s++(?!func\\b|var\\b|let\\b|subscript\\b|"
		    "override\\b)(" ID ")" } } },
	{ "scala", CTX_FILE_CODE, " .scala .sc .sbt ", " scala ", CTX_L_DQ |
	    CTX_L_CHAR | CTX_L_TRIPLE | CTX_L_NEST, SLASHES, NULL, {
		{ CTX_FUNCTIONS, "\\bdef\\s++(" ID "|`[^`\\n]+`|[^\\s\\w"
		    "(:=]+)" },
		{ CTX_CLASSES, "(?<![\\w.])(?:class|object|trait|enum)\\s++("
		    ID ")" } } },
	{ "lua", CTX_FILE_CODE, " .lua .rockspec ", " lua luajit ", BOTH |
	    CTX_L_LONG, { "--", NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, "\\bfunction\\s++([\\w.:]++)\\s*+\\(|"
		    "(?<![\\w.:])([A-Za-z_][\\w.]*+)\\s*+=\\s*+function\\b"
		    } } },
	{ "perl", CTX_FILE_CODE, " .pl .pm .t .psgi ", " perl ", BOTH |
	    CTX_L_DQ_LINES | CTX_L_SQ_LINES | CTX_L_HERE |
	    CTX_L_HERE_SHIFT | CTX_L_QLIKE | CTX_L_REGEX | CTX_L_POD |
	    CTX_L_HASH_WORD, HASH, NULL, {
		{ CTX_FUNCTIONS, B "sub\\s++([\\w:']++)" },
		{ CTX_CLASSES, B "package\\s++([\\w:]++)" } } },
	{ "haskell", CTX_FILE_CODE, " .hs .hsc ", " runhaskell runghc stack ",
	    CTX_L_DQ | CTX_L_CHAR | CTX_L_NEST, { "--", NULL }, "{-", "-}",
	    NULL, {
		{ CTX_FUNCTIONS, "^(?:foreign import[^\\n]*?\\s)?"
		    "([a-z_][\\w']*+)(?:\\s*+,\\s*+[a-z_][\\w']*+)*+\\s*+::" },
		{ CTX_TYPES, "^(?:data|newtype|type|class)\\s++"
		    "(?:[^=\\n]*?=>\\s*+)?([A-Z][\\w']*+)" } } },
	{ "elixir", CTX_FILE_CODE, " .ex .exs ", " elixir ", CTX_L_DQ |
	    CTX_L_DQ_LINES | CTX_L_TRIPLE | CTX_L_IN_HASH | CTX_L_HASH_WORD,
	    HASH, NULL, {
		{ CTX_FUNCTIONS, B "def(?:p|macro|macrop|guard|delegate)?"
		    "[ \\t]++([a-z_]\\w*+[?!]?)" },
		{ CTX_CLASSES, B "def(?:module|protocol|impl)[ \\t]++"
		    "([A-Z][\\w.]*+)" } } },
	{ "dart", CTX_FILE_CODE, " .dart ", " dart ", BOTH | CTX_L_TRIPLE |
	    CTX_L_IN_DOLLAR | CTX_L_NEST, SLASHES,
	    "\\b(?:class|mixin|extension|enum)\\s++" ID, {
		{ CTX_FUNCTIONS, STMT "(?:@\\w++\\s*+(?:\\(\\)\\s*+)?|"
		    "[\\w.]++[?]?\\s++|[\\w.]*+" ANGLE "[?]?\\s*+)*?"
		    "(?!(?:if|for|while|switch|super|assert)\\b)"
		    "(" ID "(?:\\." ID ")?)\\s*+(?:" ANGLE "\\s*+)?\\(\\)\\s*+"
		    "(?:async\\*?\\s*+|sync\\*\\s*+)?"
		    "(?::[^;{}]{0,400}+)?(?:[;{]"
		    "|=>)" },
		{ CTX_CLASSES, "(?<![\\w.])(?:class|mixin|extension|enum)\\s++"
		    "(?!on\\b)(" ID ")" } } },
	{ "zig", CTX_FILE_CODE, " .zig ", "", CTX_L_DQ | CTX_L_CHAR,
	    { "//", NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, "\\bfn\\s++(" ID ")" },
		{ CTX_TYPES, "\\bconst\\s++(" ID ")\\s*+=\\s*+(?:extern\\s++|"
		    "packed\\s++)?(?:struct|enum|union|error|opaque)\\b" } } },
	{ "objective-c", CTX_FILE_CODE, " .m .mm ", "", CLIKE | CTX_L_CPP |
	    CTX_L_MARGIN, SLASHES, C_SCOPE, {
		{ CTX_FUNCTIONS, B "[-+]\\s*+(?:\\(\\)\\s*+)?(" ID ":?)|"
		    C_FUNC },
		{ CTX_CLASSES, "@(?:interface|implementation|protocol)\\s++("
		    ID ")(?!\\s*+[;,])" },
		{ CTX_TYPES, "\\b(?:struct|union|enum)\\s++(" ID
		    ")\\s*+\\{" } } },
	{ "matlab", CTX_FILE_CODE, " .matlab ", " octave ", CTX_L_DQ,
	    { "%", NULL }, "%{", "%}", NULL, {
		{ CTX_FUNCTIONS, B "function\\s++(?:(?:\\w+|\\[[^\\]\\n]*+\\])"
		    "\\s*+=\\s*+)?([\\w.]+)" },
		{ CTX_CLASSES, B "classdef\\s++(?:\\([^)]{0,400}+\\)\\s*+)?(\\w"
		    "+)" } } },
	{ "powershell", CTX_FILE_CODE, " .ps1 .psm1 .psd1 ", " pwsh ", BOTH |
	    CTX_L_DQ_LINES | CTX_L_SQ_LINES | CTX_L_PLAIN |
	    CTX_L_HASH_WORD, { "#", NULL }, "<#", "#>", NULL, {
		{ CTX_FUNCTIONS, "(?i)" B "(?:function|filter|workflow)\\s++"
		    "([\\w:-]++)" },
		{ CTX_CLASSES, "(?i)" B "(?:class|enum)\\s++(" ID ")" } } },
	{ "groovy", CTX_FILE_CODE, " .groovy .gradle .gvy jenkinsfile ",
	    " groovy ", BOTH | CTX_L_TRIPLE | CTX_L_IN_DOLLAR, SLASHES, NULL, {
		{ CTX_FUNCTIONS, B "(?:@\\w++\\s++)*+(?:(?:static|private|"
		    "public|"
		    "protected|final|abstract)\\s++)*+(?:def|void|String|int|"
		    "boolean|Object|List|Map)\\s++(" ID ")\\s*+\\(" },
		{ CTX_CLASSES, B "(?:\\w++\\s++)*?(?:class|interface|trait"
		    "|enum)"
		    "\\s++(" ID ")" } } },
	{ "julia", CTX_FILE_CODE, " .jl ", " julia ", CTX_L_DQ |
	    CTX_L_DQ_LINES | CTX_L_TRIPLE | CTX_L_CHAR, { "#", NULL }, "#=",
	    "=#", NULL, {
		{ CTX_FUNCTIONS, "\\b(?:function|macro)\\s++(?:\\w+\\.)*("
		    ID "!?)|^(" ID "!?)" PAREN "\\s*+=(?!=)" },
		{ CTX_TYPES, B "(?:mutable\\s++|abstract\\s++|primitive\\s++)?"
		    "(?:struct|type)\\s++(" ID ")" } } },
	{ "erlang", CTX_FILE_CODE, " .erl .hrl .escript ", " escript ",
	    CTX_L_DQ | CTX_L_DQ_LINES, { "%", NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, "^([a-z]\\w*+)" PAREN "[^.;\\n]*?->" } } },
	{ "clojure", CTX_FILE_CODE, " .clj .cljs .cljc .edn ", " clojure bb ",
	    CTX_L_DQ | CTX_L_DQ_LINES, { ";", NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, "\\((?:defn-?|defmacro|defmulti|defmethod)"
		    "\\s++(?:\\^\\S+\\s+)*([^\\s()\\[\\]]{1,400}+)" },
		{ CTX_TYPES, "\\((?:defrecord|deftype|defprotocol)\\s++"
		    "([^\\s()\\[\\]]{1,400}+)" } } },
	{ "lisp", CTX_FILE_CODE, " .lisp .lsp .cl .el .scm .ss .rkt .emacs ",
	    " sbcl clisp guile racket ", CTX_L_DQ | CTX_L_DQ_LINES,
	    { ";", NULL }, "#|", "|#", NULL, {
		{ CTX_FUNCTIONS, "\\((?:defun|defmacro|defsubst|defmethod|"
		    "defgeneric|cl-defun|define)\\s++\\(?([^\\s()]{1,400}+)" },
		{ CTX_TYPES, "\\((?:defclass|defstruct|cl-defstruct)\\s++"
		    "\\(?([^\\s()]{1,400}+)" } } },
	{ "ocaml", CTX_FILE_CODE, " .ml .mli ", " ocaml ", CTX_L_DQ |
	    CTX_L_DQ_LINES | CTX_L_CHAR | CTX_L_NEST, { NULL, NULL }, "(*",
	    "*)", NULL, {
		{ CTX_FUNCTIONS, "^(?:let(?:\\s++rec)?|and|val|external)\\s++"
		    "([a-z_][\\w']*+)(?=\\s*+(?:[^\\s=]|=\\s*+fun))" },
		{ CTX_TYPES, B "(?:type|module|class)\\s++(?:rec\\s++|type"
		    "\\s++|"
		    "(?:'\\w+|\\([^)]{0,400}+\\))\\s++)?(\\w[\\w']*+)" } } },
	{ "f#", CTX_FILE_CODE, " .fs .fsi .fsx ", "", CTX_L_DQ |
	    CTX_L_DQ_LINES | CTX_L_TRIPLE | CTX_L_CHAR, { "//", NULL }, "(*",
	    "*)", NULL, {
		{ CTX_FUNCTIONS, B "(?:let|member)\\s++(?:rec\\s++|inline\\s++|"
		    "private\\s++)*+(?:\\w+\\.)?(" ID ")\\s++(?=[\\w(])"
		    "[^=\\n]*=" },
		{ CTX_TYPES, B "(?:type|module)\\s++(" ID ")" } } },
	{ "fortran", CTX_FILE_CODE, " .f .f90 .f95 .f03 .f08 .for .f77 ", "",
	    BOTH | CTX_L_PLAIN, { "!", NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, "(?i)" B "(?!end)(?:[\\w()*=, \\t]+?\\s)??"
		    "(?:subroutine|function)\\s++(\\w+)" },
		{ CTX_TYPES, "(?i)" B "(?:module(?!\\s+procedure)|program|"
		    "type(?:\\s*+,[^:\\n]*+::|\\s*+::|(?=\\s+\\w)))\\s"
		    "*+(\\w+)" } } },
	{ "pascal", CTX_FILE_CODE, " .pas .pp .dpr .lpr ", "", CTX_L_SQ |
	    CTX_L_PLAIN, { "//", NULL }, "{", "}", NULL, {
		{ CTX_FUNCTIONS, "(?i)" B "(?:class\\s++)?(?:procedure|"
		    "function|"
		    "constructor|destructor)\\s++([\\w.]++)" },
		{ CTX_CLASSES, "(?i)" B "(?:type\\s++)?(\\w++)\\s*+=\\s*+"
		    "(?:packed\\s++)?"
		    "(?:class|record|interface|object)\\b" } } },
	{ "tcl", CTX_FILE_CODE, " .tcl .tk .exp ", " tclsh wish expect ",
	    CTX_L_HASH_WORD, HASH, NULL, {
		{ CTX_FUNCTIONS, B "(?:proc|method)\\s++([\\w:.-]++)" } } },
	{ "vim", CTX_FILE_CODE, " .vim .vimrc vimrc ", "", 0, { NULL, NULL },
	    NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, B "(?:fu|func|function|def)!?\\s++"
		    "([\\w:.#<>]++)\\s*+\\(" } } },
	{ "visual basic", CTX_FILE_CODE, " .vb .bas .vbs .cls .frm ", "",
	    CTX_L_DQ | CTX_L_PLAIN, { "'", NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, "(?i)" B "(?!end|exit)(?:\\w++[ \\t]++)*?"
		    "(?:sub|function)[ \\t]++(\\w+)" },
		{ CTX_CLASSES, "(?i)" B "(?!end)(?:\\w++[ \\t]++)*?"
		    "(?:class|module|structure|interface)[ \\t]++(\\w+)" } } },
	{ "batch", CTX_FILE_CODE, " .bat .cmd ", "", CTX_L_RAW,
	    { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_FUNCTIONS, B ":(?!:)([\\w.-]+)" } } },
	{ "assembly", CTX_FILE_CODE, " .s .asm .nasm ", "", CTX_L_DQ,
	    { NULL, NULL }, "/*", "*/", NULL, {
		{ CTX_FUNCTIONS, "^([A-Za-z_][\\w$@]*+):" } } },
	{ "makefile", CTX_FILE_CODE, " makefile gnumakefile .mk .mak "
	    "makefile.am makefile.in ", " make ", CTX_L_RAW, { NULL, NULL },
	    NULL, NULL, NULL, {
		{ CTX_TARGETS, "^(?!\\.[A-Z])([\\w./%$(){}@+-]++)"
		    "(?:[ \\t]++[\\w./%$(){}@+-]++)*+[ \\t]*+::?(?![=:])" } } },
	{ "dockerfile", CTX_FILE_CODE, " dockerfile containerfile .dockerfile ",
	    "", CTX_L_RAW, { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_STAGES, "(?i)^FROM[ \\t]++(?:--\\S+[ \\t]++)*+(\\S++)"
		    "(?:[ \\t]++AS[ \\t]++(\\S++))?" } } },
	{ "cmake", CTX_FILE_CODE, " cmakelists.txt .cmake ", "", CTX_L_DQ |
	    CTX_L_DQ_LINES, HASH, NULL, {
		{ CTX_FUNCTIONS, "(?i)" B "(?:function|macro)\\s*+\\(\\s*+"
		    "([\\w.-]+)" },
		{ CTX_TARGETS, "(?i)" B "add_(?:executable|library|"
		    "custom_target)"
		    "\\s*+\\(\\s*+([\\w.+:-]+)" } } },
	{ "protobuf", CTX_FILE_CODE, " .proto ", "", BOTH, SLASHES, NULL, {
		{ CTX_FUNCTIONS, "\\brpc\\s++(\\w+)" },
		{ CTX_TYPES, "(?:^|[{};])\\s*+(?:message|enum|service)\\s++"
		    "(\\w+)\\s*+\\{" } } },
	{ "graphql", CTX_FILE_CODE, " .graphql .gql ", "", CTX_L_DQ |
	    CTX_L_TRIPLE, HASH, NULL, {
		{ CTX_FUNCTIONS, B "(?:query|mutation|subscription|fragment)"
		    "\\s++(\\w+)" },
		{ CTX_TYPES, B "(?:type|input|enum|interface|union|scalar)\\s++"
		    "(\\w+)" } } },
	{ "terraform", CTX_FILE_CODE, " .tf .hcl .tfvars ", "", CTX_L_HERE,
	    { "#", "//" }, "/*", "*/", NULL, {
		{ CTX_SECTIONS, "^(\\w+(?:[ \\t]+\"[^\"\\n]*\")*)[ \\t"
		    "]*+\\{" } } },
	{ "sql", CTX_FILE_CODE, " .sql .ddl .psql .pgsql .plsql ", "",
	    CTX_L_SQ | CTX_L_SQ_LINES | CTX_L_PLAIN, { "--", NULL }, "/*",
	    "*/", NULL, {
		{ CTX_TABLES, "(?i)\\b(?:create\\s++(?:or\\s++replace\\s++)?"
		    "(?:(?:global|local|temp|temporary|external|unlogged|"
		    "materialized|virtual)\\s++)*+(?:table|view)|insert\\s"
		    "++into|"
		    "from|join|update|alter\\s++table)\\s++"
		    "(?:if\\s++not\\s++exists\\s++|only\\s++)?"
		    "(?!(?:select|set|as|on|where)\\b)(?:\"[\\w$]++\"\\.\"|"
		    "`[\\w$]++`\\.`|\\[[\\w$]++\\]\\.\\[|[\"`\\[])?+"
		    "([A-Za-z_\\x80-\\xff][\\w.$\\x80-\\xff]*+)" },
		{ CTX_FUNCTIONS, "(?i)\\bcreate\\s++(?:or\\s++replace\\s++)?"
		    "(?:definer\\s*+=\\s*+\\S++\\s++)?"
		    "(?:function|procedure|trigger)\\s++"
		    "(?:if\\s++not\\s++exists\\s++)?([\\w.\"`$]++)" } } },
	{ "html", CTX_FILE_MARKUP, " .html .htm .xhtml .vue .svelte .ejs .erb "
	    ".hbs .jinja .j2 .twig ", "", 0, { NULL, NULL }, "<!--", "-->",
	    NULL, {
		{ CTX_HEADINGS, "(?i)<(?:title|h[1-6])\\b[^<>]{0,400}+>\\s*+"
		    "([^<\\n]*[^<\\s])" },
		{ CTX_FUNCTIONS, "\\bfunction\\s++(" JSID ")\\s*+\\(" } } },
	{ "css", CTX_FILE_CODE, " .css .scss .sass .less .styl ", "", BOTH,
	    { NULL, NULL }, "/*", "*/", NULL, {
		{ CTX_SELECTORS, "(?:\\A|(?<=[{};]))\\s*+"
		    "([^\\s{};@0-9][^{};]{0,400}+)\\{" } } },
	{ "markdown", CTX_FILE_MARKUP, " .md .markdown .mdx .mkd .rmd .qmd "
	    "readme ", "", CTX_L_FENCE, { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_HEADINGS, "^ {0,3}#{1,6}[ \\t]++([^\\n]*?[^\\s#])"
		    "[ \\t#\\r]*+$|^(?![ \\t]*[-*+>|#])(\\S[^\\n]*+)"
		    "\\n(?:={2,}|-{3,})[ \\t\\r]*+$" } } },
	{ "restructuredtext", CTX_FILE_MARKUP, " .rst .rest ", "", CTX_L_RAW,
	    { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_HEADINGS, "^([^\\s=~^\"'`#*+-][^\\n]*+)\\n"
		    "(?:={3,}|-{3,}|~{3,}|\\^{3,}|\"{3,}|'{3,}|#{3,}|\\*{3,}|"
		    "\\+{3,})[ \\t\\r]*+$" } } },
	{ "asciidoc", CTX_FILE_MARKUP, " .adoc .asciidoc ", "", CTX_L_RAW,
	    { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_HEADINGS, "^={1,6}[ \\t]++([^\\n]*\\S)" } } },
	{ "org", CTX_FILE_MARKUP, " .org ", "", CTX_L_RAW, { NULL, NULL },
	    NULL, NULL, NULL, {
		{ CTX_HEADINGS, "^\\*++[ \\t]++([^\\n]*\\S)" } } },
	{ "latex", CTX_FILE_MARKUP, " .tex .sty .ltx ", "", CTX_L_RAW,
	    { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_HEADINGS, "^[^%\\n]*?\\\\(?:part|chapter|"
		    "(?:sub){0,2}section)\\*?(?:\\[[^\\]]{0,400}+\\])?\\{([^{}"
		    "\\n]+)" } } },
	{ "YAML", CTX_FILE_DATA, " .yaml .yml .clang-format .clang-tidy ", "",
	    CTX_L_RAW, { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_KEYS, "^(?:- )?(?:\"([^\"\\n]+)\"|'([^'\\n]+)'|"
		    "([^\\s#:'\"\\[{}&*!|>%@`,-]"
		    "(?:[^:\\n]|:(?!\\s|$))*+)):(?=\\s"
		    "|$)" } } },
	{ "TOML", CTX_FILE_DATA, " .toml cargo.lock poetry.lock pipfile ", "",
	    CTX_L_RAW, { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_KEYS, "\\G(?:(?!\\[)(?![\\w\"'.-]+[ \\t]*=)[^\\n]*+\\n)*+"
		    "([\\w\"'.-]+)[ \\t]*+=[^\\n]*+(?:\\n|\\z)" },
		{ CTX_SECTIONS, "^[ \\t]*+\\[\\[?[ \\t]*+([^\\]\\n]*[^\\]"
		    "\\s])" } } },
	{ "INI", CTX_FILE_DATA, " .ini .cfg .conf .cnf .desktop .service "
	    ".editorconfig .gitconfig .properties .env .socket .timer .inf ",
	    "", CTX_L_RAW, { NULL, NULL }, NULL, NULL, NULL, {
		{ CTX_KEYS, "\\G(?:(?![ \\t]*\\[)(?![\\w.-]+[ \\t]*[=:])"
		    "[^\\n]*+"
		    "\\n)*+([\\w.-]+)[ \\t]*+[=:][^\\n]*+(?:\\n|\\z)" },
		{ CTX_SECTIONS, "^[ \\t]*+\\[([^\\]\\n]+)\\]" } } },
	{ "XML", CTX_FILE_DATA, " .xml .xsd .xsl .xslt .rss .atom .plist .svg "
	    ".csproj .vcxproj .props .targets .xaml .resx .wsdl .kml .gpx "
	    ".xlf .xmi .ui ", "", 0, { NULL, NULL }, "<!--", "-->", NULL, {
		{ CTX_ELEMENTS, "<([A-Za-z_\\x80-\\xff][\\w:.\\x80-\\xff"
		    "-]*+)" } } },
};

const size_t ctx_langs_n = sizeof(ctx_langs) / sizeof(ctx_langs[0]);

/* Does the lower-case list " a b c " contain word[0 .. len), ignoring case? */
static int
listed(const char *list, const char *word, size_t len)
{
	char key[40] = " ";
	size_t i;

	if (len == 0 || len > sizeof(key) - 3)
		return 0;
	for (i = 0; i < len; i++)
		key[i + 1] = (char)tolower((unsigned char)word[i]);
	key[len + 1] = ' ';
	return strstr(list, key) != NULL;
}

/* The last component of a path. */
static const char *
base_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash == NULL ? name : slash + 1;
}

int
ctx_lang_lists(const char *list, const char *name, int ending)
{
	const char *base = base_of(name);

	if (ending)
		base = strrchr(base, '.');
	return base != NULL && listed(list, base, strlen(base));
}

const struct ctx_lang *
ctx_lang_by_name(const char *name)
{
	size_t i;
	int ending;

	for (ending = 0; ending < 2; ending++)
		for (i = 0; i < ctx_langs_n; i++)
			if (ctx_lang_lists(ctx_langs[i].files, name, ending))
				return &ctx_langs[i];
	return NULL;
}

const struct ctx_lang *
ctx_lang_by_stem(const char *name)
{
	char stem[40];
	const char *base = base_of(name);
	size_t len = strcspn(base, ".");

	if (len == 0 || len >= sizeof(stem))
		return NULL;
	memcpy(stem, base, len);
	stem[len] = '\0';
	return ctx_lang_by_name(stem);
}

/*
 * The language of an interpreter, name[0 .. n), with or without its version:
 * python3.11 is python3.
 */
static const struct ctx_lang *
lang_of_program(const char *name, size_t n)
{
	size_t i;

	for (; n > 0; n--) {
		for (i = 0; i < ctx_langs_n; i++)
			if (listed(ctx_langs[i].shebang, name, n))
				return &ctx_langs[i];
		if (strchr(".0123456789", name[n - 1]) == NULL)
			return NULL;
	}
	return NULL;
}

/* Is the word env, an option of env, or a variable that env sets? */
static int
is_of_env(const char *word, const char *name, size_t n)
{
	return *word == '-' || memchr(name, '=', n) != NULL ||
	    (n == 3 && memcmp(name, "env", 3) == 0);
}

static int
is_gap(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

const struct ctx_lang *
ctx_lang_by_shebang(const char *data, size_t len)
{
	const struct ctx_lang *lang;
	const char *end, *word, *name, *to;

	if (len < 3 || data[0] != '#' || data[1] != '!')
		return NULL;
	end = memchr(data, '\n', len);
	end = end == NULL ? data + len : end;
	for (word = data + 2; ; word = to) {
		while (word < end && is_gap(*word))
			word++;
		for (to = name = word; to < end && *to != '\0' &&
		    !is_gap(*to); to++)
			if (*to == '/')
				name = to + 1;
		if (to == word)
			return NULL;
		lang = lang_of_program(name, (size_t)(to - name));
		if (lang != NULL ||
		    !is_of_env(word, name, (size_t)(to - name)))
			return lang;
	}
}

const struct ctx_lang *
ctx_lang_named(const char *name)
{
	size_t i;

	for (i = 0; i < ctx_langs_n; i++)
		if (strcmp(ctx_langs[i].name, name) == 0)
			return &ctx_langs[i];
	return NULL;
}
