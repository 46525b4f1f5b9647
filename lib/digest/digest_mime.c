/* SPDX-License-Identifier: MIT */
/*
 * Media types; see digest_mime.h.  Names are IANA's, or begin with x- if it
 * has none.
 */
#include "digest/digest_mime.h"

#include <string.h>

#define OFFICE	"application/vnd.openxmlformats-officedocument."

/* Media types for the types that a digest prints. */
static const struct {
	const char *type, *mime;
} known[] = {
	{ "7z", "application/x-7z-compressed" },
	{ "AVIF", "image/avif" }, { "BMP", "image/bmp" },
	{ "CSV", "text/csv" }, { "EPUB", "application/epub+zip" },
	{ "Excel", OFFICE "spreadsheetml.sheet" },
	{ "Excel 97", "application/vnd.ms-excel" },
	{ "FLAC", "audio/flac" }, { "GIF", "image/gif" },
	{ "HEIC", "image/heic" }, { "ICO", "image/vnd.microsoft.icon" },
	{ "JPEG", "image/jpeg" }, { "JSON", "application/json" },
	{ "JSONL", "application/jsonl" }, { "MP3", "audio/mpeg" },
	{ "MP4", "video/mp4" }, { "OGG", "audio/ogg" },
	{ "PDF", "application/pdf" }, { "PNG", "image/png" },
	{ "Parquet", "application/vnd.apache.parquet" },
	{ "PowerPoint", OFFICE "presentationml.presentation" },
	{ "SQLite", "application/vnd.sqlite3" },
	{ "TIFF", "image/tiff" }, { "TOML", "application/toml" },
	{ "TSV", "text/tab-separated-values" },
	{ "WAV", "audio/wav" }, { "WebAssembly", "application/wasm" },
	{ "WebP", "image/webp" },
	{ "Word", OFFICE "wordprocessingml.document" },
	{ "Word 97", "application/msword" },
	{ "XML", "application/xml" }, { "YAML", "application/yaml" },
	{ "bzip2", "application/x-bzip2" }, { "css", "text/css" },
	{ "diff", "text/x-diff" }, { "gzip", "application/gzip" },
	{ "html", "text/html" }, { "javascript", "text/javascript" },
	{ "markdown", "text/markdown" },
	{ "notebook", "application/x-ipynb+json" },
	{ "python", "text/x-python" }, { "rar", "application/vnd.rar" },
	{ "shell", "application/x-sh" }, { "sql", "application/sql" },
	{ "tar", "application/x-tar" }, { "xz", "application/x-xz" },
	{ "zip", "application/zip" }, { "zstd", "application/zstd" },
};

const char *
ctx_digest_mime(const struct ctx_digest *d)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].type, d->type) == 0)
			return known[i].mime;
	return d->text ? "text/plain" : "application/octet-stream";
}
