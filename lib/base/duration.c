/* SPDX-License-Identifier: MIT */
/*
 * WAV: RIFF, chunks "fmt " and "data".  MP3: ISO 11172-3 and 13818-3, with
 * the frame count of Xing's and LAME's header.  FLAC: RFC 9639, STREAMINFO.
 * Ogg: RFC 3533, the position of the last page; RFC 7845 for Opus.  MP4: ISO
 * 14496-12, box mvhd.
 */
#include "base/duration.h"

#include <string.h>

struct bytes {
	const uint8_t *p;
	size_t len;
};

/* A number of n bytes, the most significant first or last. */
static uint64_t
big(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

static uint64_t
little(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* Units at a rate a second as milliseconds; -1 if that is not a duration. */
static int
set(uint64_t *ms, uint64_t units, uint64_t rate)
{
	if (rate == 0 || units > UINT64_MAX / 1000)
		return -1;
	*ms = units * 1000 / rate;
	return 0;
}

static int
wav(const struct bytes *b, uint64_t *ms)
{
	uint64_t rate = 0, size;
	size_t at = 12;

	if (b->len < 12 || memcmp(b->p + 8, "WAVE", 4) != 0)
		return -1;
	for (; b->len - at >= 8; at += 8 + (size_t)size + (size & 1)) {
		size = little(b->p + at + 4, 4);
		if (memcmp(b->p + at, "data", 4) == 0) {
			/* a stream's header does not know its size */
			if (size > b->len - at - 8)
				size = b->len - at - 8;
			return set(ms, size, rate);
		}
		if (size + 1 > b->len - at - 8)
			break;
		if (memcmp(b->p + at, "fmt ", 4) == 0 && size >= 16)
			rate = little(b->p + at + 16, 4);
	}
	return -1;
}

static int
flac(const struct bytes *b, uint64_t *ms)
{
	if (b->len < 26)
		return -1;
	/* 20 bits of rate, 3 of channels, 5 of bits, 36 of samples */
	return set(ms, big(b->p + 21, 5) & 0xfffffffff,
	    big(b->p + 18, 3) >> 4);
}

static int
ogg(const struct bytes *b, uint64_t *ms)
{
	size_t head = 28, at;
	uint64_t rate = 48000, skip = 0;

	if (b->len < 28 + 19)
		return -1;
	if (memcmp(b->p + head, "\1vorbis", 7) == 0)
		rate = little(b->p + head + 12, 4);
	else if (memcmp(b->p + head, "OpusHead", 8) == 0)
		skip = little(b->p + head + 10, 2);
	else
		return -1;
	for (at = b->len - 14; at > 0; at--)
		if (memcmp(b->p + at, "OggS", 4) == 0 &&
		    little(b->p + at + 6, 8) >= skip &&
		    little(b->p + at + 6, 8) != UINT64_MAX)	/* no packet */
			return set(ms, little(b->p + at + 6, 8) - skip, rate);
	return -1;
}

/* Find a box in p[0 .. len); an empty one if there is none. */
static struct bytes
box(struct bytes in, const char *name)
{
	struct bytes out = { NULL, 0 };
	uint64_t size;
	size_t head;

	for (; in.len >= 8; in.p += size, in.len -= (size_t)size) {
		size = big(in.p, 4);
		head = size == 1 ? 16 : 8;
		if (size == 1 && in.len >= 16)
			size = big(in.p + 8, 8);
		if (size == 0)
			size = in.len;
		if (size < head || size > in.len)
			break;
		if (memcmp(in.p + 4, name, 4) == 0) {
			out.p = in.p + head;
			out.len = (size_t)size - head;
			break;
		}
	}
	return out;
}

static int
mp4(const struct bytes *b, uint64_t *ms)
{
	struct bytes mvhd = box(box(*b, "moov"), "mvhd");

	if (mvhd.len >= 32 && mvhd.p[0] == 1)
		return set(ms, big(mvhd.p + 24, 8), big(mvhd.p + 20, 4));
	if (mvhd.len >= 20)
		return set(ms, big(mvhd.p + 16, 4), big(mvhd.p + 12, 4));
	return -1;
}

/* What the header of an MPEG frame says. */
struct frame {
	unsigned version;	/* 0: 2.5, 2: 2, 3: 1 */
	unsigned kbits, rate, samples;
	unsigned channels;
};

/* Read the header at p; -1 if it is none. */
static int
frame(const uint8_t *p, struct frame *f)
{
	static const uint16_t kbits[2][15] = {
		{ 0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144,
		    160 },
		{ 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256,
		    320 }
	};
	static const uint16_t rates[3] = { 44100, 48000, 32000 };
	unsigned bits = p[2] >> 4, rate = p[2] >> 2 & 3;

	f->version = p[1] >> 3 & 3;
	/* only layer III */
	if (p[0] != 0xff || (p[1] & 0xe6) != 0xe2 || f->version == 1 ||
	    bits == 0 || bits == 15 || rate == 3)
		return -1;
	f->kbits = kbits[f->version == 3][bits];
	f->rate = rates[rate] >> (f->version == 3 ? 0 :
	    f->version == 2 ? 1 : 2);
	f->samples = f->version == 3 ? 1152 : 576;
	f->channels = p[3] >> 6 == 3 ? 1 : 2;
	return 0;
}

static int
mp3(const struct bytes *b, uint64_t *ms)
{
	struct frame f;
	size_t at = 0, side;

	if (b->len >= 10 && memcmp(b->p, "ID3", 3) == 0)
		at = 10 + ((size_t)(b->p[6] & 127) << 21 |
		    (size_t)(b->p[7] & 127) << 14 |
		    (size_t)(b->p[8] & 127) << 7 | (b->p[9] & 127));
	if (at > b->len || b->len - at < 4 || frame(b->p + at, &f) == -1)
		return -1;
	side = at + 4 + (f.version == 3 ? (f.channels == 1 ? 17 : 32) :
	    f.channels == 1 ? 9 : 17);
	if (b->len >= side + 12 && (memcmp(b->p + side, "Xing", 4) == 0 ||
	    memcmp(b->p + side, "Info", 4) == 0) && (b->p[side + 7] & 1))
		return set(ms, big(b->p + side + 8, 4) * f.samples, f.rate);
	return set(ms, b->len - at, f.kbits * 125);
}

int
ctx_duration_read(const void *data, size_t len, uint64_t *ms)
{
	const struct bytes b = { data, len };

	if (len < 12)
		return -1;
	if (memcmp(data, "RIFF", 4) == 0)
		return wav(&b, ms);
	if (memcmp(data, "fLaC", 4) == 0)
		return flac(&b, ms);
	if (memcmp(data, "OggS", 4) == 0)
		return ogg(&b, ms);
	if (memcmp(b.p + 4, "ftyp", 4) == 0)
		return mp4(&b, ms);
	return mp3(&b, ms);
}
