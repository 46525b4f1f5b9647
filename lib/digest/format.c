/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "digest/format.h"
#include "digest/zip.h"

#define LOOK_MAX	((size_t)64 << 10)

#define MAGIC(s)	s, sizeof(s) - 1
#define TEXT		NULL, 0, 0, NULL

static const struct ctx_format formats[] = {
	/* Text, by name; the first name of a type is also used elsewhere. */
	{ "CSV", CTX_FILE_TABLE, " .csv ", NULL, 0, 0, ctx_format_csv },
	{ "TSV", CTX_FILE_TABLE, " .tsv .tab ", NULL, 0, 0, ctx_format_tsv },
	{ "JSON", CTX_FILE_DATA, " .json .jsonc .json5 .geojson .webmanifest "
	    ".map .har .babelrc .eslintrc .prettierrc composer.lock "
	    "pipfile.lock ", NULL, 0, 0, ctx_format_json },
	{ "JSONL", CTX_FILE_DATA, " .jsonl .ndjson .ldjson ", NULL, 0, 0,
	    ctx_format_jsonl },
	{ "notebook", CTX_FILE_NOTEBOOK, " .ipynb ", NULL, 0, 0,
	    ctx_format_notebook },
	{ "log", CTX_FILE_LOG, " .log syslog messages ", NULL, 0, 0,
	    ctx_format_log },
	{ "diff", CTX_FILE_DIFF, " .diff .patch ", NULL, 0, 0,
	    ctx_format_diff },
	{ "text", CTX_FILE_TEXT, " .txt .text license copying authors "
	    "changelog news todo notice .gitignore .gitattributes "
	    ".dockerignore .lst ", TEXT },

	/*
	 * Binary formats.  Pictures come first because they are the most
	 * frequent.
	 */
	{ "PNG", CTX_FILE_IMAGE, "", MAGIC("\x89PNG\r\n\x1a\n"), 0,
	    ctx_format_image },
	{ "JPEG", CTX_FILE_IMAGE, "", MAGIC("\xff\xd8\xff"), 0,
	    ctx_format_image },
	{ "GIF", CTX_FILE_IMAGE, "", MAGIC("GIF8"), 0, ctx_format_image },
	{ "WebP", CTX_FILE_IMAGE, "", MAGIC("WEBP"), 8, ctx_format_image },
	{ "BMP", CTX_FILE_IMAGE, " .bmp ", MAGIC("BM"), 0, ctx_format_image },
	{ "ICO", CTX_FILE_IMAGE, "", MAGIC("\0\0\1\0"), 0, ctx_format_image },
	{ "TIFF", CTX_FILE_IMAGE, "", MAGIC("II*\0"), 0, ctx_format_image },
	{ "TIFF", CTX_FILE_IMAGE, "", MAGIC("MM\0*"), 0, ctx_format_image },
	{ "AVIF", CTX_FILE_IMAGE, "", MAGIC("ftypavif"), 4, ctx_format_image },
	{ "HEIC", CTX_FILE_IMAGE, "", MAGIC("ftyphei"), 4, ctx_format_image },
	{ "PDF", CTX_FILE_DOCUMENT, "", MAGIC("%PDF-"), 0, ctx_format_pdf },
	/* Formats that are zip files; the name tells which one it is. */
	{ "Excel", CTX_FILE_TABLE, " .xlsx .xlsm .xltx ", MAGIC("PK\3\4"), 0,
	    ctx_format_xlsx },
	{ "Word", CTX_FILE_DOCUMENT, " .docx .docm .dotx .dotm ",
	    MAGIC("PK\3\4"), 0, ctx_format_word },
	{ "PowerPoint", CTX_FILE_DOCUMENT, " .pptx .pptm .potx .ppsx ",
	    MAGIC("PK\3\4"), 0, ctx_format_slides },
	{ "OpenDocument", CTX_FILE_DOCUMENT, " .odt .ods .odp .ott .ots .otp ",
	    MAGIC("PK\3\4"), 0, ctx_format_opendocument },
	{ "EPUB", CTX_FILE_DOCUMENT, " .epub ", MAGIC("PK\3\4"), 0,
	    ctx_format_epub },
	{ "Java archive", CTX_FILE_ARCHIVE, " .jar .war .ear ",
	    MAGIC("PK\3\4"), 0, ctx_format_zip },
	{ "Python wheel", CTX_FILE_ARCHIVE, " .whl ", MAGIC("PK\3\4"), 0,
	    ctx_format_zip },
	{ "zip", CTX_FILE_ARCHIVE, "", MAGIC("PK\3\4"), 0, ctx_format_zip },
	{ "zip", CTX_FILE_ARCHIVE, "", MAGIC("PK\5\6"), 0, ctx_format_zip },
	{ "Excel 97", CTX_FILE_TABLE, " .xls ",
	    MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0, NULL },
	{ "Word 97", CTX_FILE_DOCUMENT, " .doc ",
	    MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0, NULL },
	{ "OLE", CTX_FILE_DOCUMENT, "",
	    MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0, NULL },
	{ "gzip", CTX_FILE_ARCHIVE, "", MAGIC("\x1f\x8b"), 0, ctx_format_gzip },
	{ "bzip2", CTX_FILE_ARCHIVE, "", MAGIC("BZh"), 0,
	    ctx_format_unpack },
	{ "xz", CTX_FILE_ARCHIVE, "", MAGIC("\xfd" "7zXZ\0"), 0,
	    ctx_format_unpack },
	{ "zstd", CTX_FILE_ARCHIVE, "", MAGIC("\x28\xb5\x2f\xfd"), 0,
	    ctx_format_unpack },
	{ "7z", CTX_FILE_ARCHIVE, "", MAGIC("7z\xbc\xaf\x27\x1c"), 0,
	    ctx_format_unpack },
	{ "rar", CTX_FILE_ARCHIVE, "", MAGIC("Rar!\x1a\x07"), 0,
	    ctx_format_unpack },
	{ "tar", CTX_FILE_ARCHIVE, "", MAGIC("ustar"), 257,
	    ctx_format_unpack },
	{ "lz4", CTX_FILE_ARCHIVE, "", MAGIC("\x04\x22\x4d\x18"), 0,
	    ctx_format_unpack },
	{ "lzip", CTX_FILE_ARCHIVE, "", MAGIC("LZIP\1"), 0,
	    ctx_format_unpack },
	{ "compress", CTX_FILE_ARCHIVE, " .z ", MAGIC("\x1f\x9d"), 0,
	    ctx_format_unpack },
	{ "RPM package", CTX_FILE_ARCHIVE, "", MAGIC("\xed\xab\xee\xdb"), 0,
	    ctx_format_unpack },
	{ "cpio", CTX_FILE_ARCHIVE, " .cpio ", MAGIC("070701"), 0,
	    ctx_format_unpack },
	{ "cab", CTX_FILE_ARCHIVE, "", MAGIC("MSCF\0\0\0\0"), 0,
	    ctx_format_unpack },
	{ "ar", CTX_FILE_ARCHIVE, "", MAGIC("!<arch>\n"), 0,
	    ctx_format_unpack },
	{ "time zone", CTX_FILE_BINARY, "", MAGIC("TZif"), 0, NULL },
	{ "ELF", CTX_FILE_BINARY, "", MAGIC("\x7f" "ELF"), 0, NULL },
	{ "Mach-O", CTX_FILE_BINARY, "", MAGIC("\xcf\xfa\xed\xfe"), 0, NULL },
	{ "Windows program", CTX_FILE_BINARY, " .exe .dll .sys ", MAGIC("MZ"),
	    0, NULL },
	{ "WebAssembly", CTX_FILE_BINARY, "", MAGIC("\0asm"), 0, NULL },
	{ "Java class", CTX_FILE_BINARY, " .class ",
	    MAGIC("\xca\xfe\xba\xbe"), 0, NULL },
	{ "SQLite", CTX_FILE_BINARY, "", MAGIC("SQLite format 3\0"), 0, NULL },
	{ "Parquet", CTX_FILE_BINARY, "", MAGIC("PAR1"), 0, NULL },
	{ "NumPy", CTX_FILE_BINARY, "", MAGIC("\x93NUMPY"), 0, NULL },
	{ "MP3", CTX_FILE_BINARY, "", MAGIC("ID3\2"), 0, NULL },
	{ "MP3", CTX_FILE_BINARY, "", MAGIC("ID3\3"), 0, NULL },
	{ "MP3", CTX_FILE_BINARY, "", MAGIC("ID3\4"), 0, NULL },
	{ "WAV", CTX_FILE_BINARY, "", MAGIC("WAVE"), 8, NULL },
	{ "OGG", CTX_FILE_BINARY, "", MAGIC("OggS"), 0, NULL },
	{ "FLAC", CTX_FILE_BINARY, "", MAGIC("fLaC"), 0, NULL },
	{ "MP4", CTX_FILE_BINARY, "", MAGIC("ftyp"), 4, NULL },
	{ "font", CTX_FILE_BINARY, "", MAGIC("wOF"), 0, NULL },
	{ "font", CTX_FILE_BINARY, "", MAGIC("OTTO"), 0, NULL },
	{ "font", CTX_FILE_BINARY, "", MAGIC("\0\1\0\0\0"), 0, NULL },
};

#define NFORMATS	(sizeof(formats) / sizeof(formats[0]))

static int
named(const char *list, const char *name)
{
	return ctx_lang_lists(list, name, 0) || ctx_lang_lists(list, name, 1);
}

const struct ctx_format *
ctx_format_by_magic(const char *name, const char *data, size_t len)
{
	const struct ctx_format *f;
	struct ctx_zip z;
	struct ctx_zip_entry e;

	for (f = formats; f < formats + NFORMATS; f++) {
		if (f->magic == NULL || len < f->magoff + f->maglen ||
		    memcmp(data + f->magoff, f->magic, f->maglen) != 0)
			continue;
		if (f->files[0] == '\0' || named(f->files, name))
			break;
		/* A workbook without the name of one. */
		if (f->read == ctx_format_xlsx &&
		    ctx_zip_open(&z, data, len) == 0 &&
		    ctx_zip_find(&z, "xl/workbook.xml", &e))
			break;
	}
	return f == formats + NFORMATS ? NULL : f;
}

const struct ctx_format *
ctx_format_by_name(const char *name)
{
	const struct ctx_format *f;

	for (f = formats; f < formats + NFORMATS && f->magic == NULL; f++)
		if (named(f->files, name))
			return f;
	return NULL;
}

static const struct ctx_format *
text_format(const char *type)
{
	const struct ctx_format *f = formats;

	while (strcmp(f->type, type) != 0)
		f++;
	return f;
}

static int
begins(const char *p, size_t len, const char *s)
{
	size_t i;

	for (i = 0; s[i] != '\0'; i++)
		if (i == len || tolower((unsigned char)p[i]) != s[i])
			return 0;
	return 1;
}

const struct ctx_format *
ctx_format_by_look(const char *p, size_t len, const struct ctx_lang **lang,
    int *nomem)
{
	int json = ctx_format_looks_json(p, len);
	int jsonl = json == 0 ? ctx_format_looks_jsonl(p, len) : 0;

	*nomem = json == -1 || jsonl == -1;
	if (json == 1)
		return text_format("JSON");
	if (jsonl == 1)
		return text_format("JSONL");
	if (len > LOOK_MAX)
		len = LOOK_MAX;
	if (begins(p, len, "diff --git ") || (begins(p, len, "--- ") &&
	    memmem(p, len, "\n+++ ", 5) != NULL &&
	    memmem(p, len, "\n@@ ", 4) != NULL))
		return text_format("diff");
	if (begins(p, len, "<!doctype html") || begins(p, len, "<html"))
		*lang = ctx_lang_named("html");
	else if (begins(p, len, "<?xml"))
		*lang = ctx_lang_named("XML");
	else if (begins(p, len, "<?php"))
		*lang = ctx_lang_named("php");
	else if (begins(p, len, ".\\\"") || begins(p, len, "'\\\"") ||
	    begins(p, len, ".th ") || begins(p, len, ".dd "))
		*lang = ctx_lang_named("man page");
	else if (begins(p, len, "---\n") || begins(p, len, "%yaml"))
		*lang = ctx_lang_named("YAML");
	if (*lang != NULL)
		return NULL;
	if (ctx_format_looks_log(p, len))
		return text_format("log");
	return ctx_format_looks_csv(p, len) ? text_format("CSV") : NULL;
}
