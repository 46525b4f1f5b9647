/* SPDX-License-Identifier: MIT */
/*
 * Functions that gcc's address sanitizer asks the loader for at each start, and that
 * glibc has no more, or never had.  For each that is missing the loader makes a
 * message, for which the sanitizer sets up an allocator of its own: 210 of the 600 page
 * faults of a start of ctx-clean.  Nothing calls these.
 */
#define F(name) void name(void); void name(void) {}
F(__cxa_throw) F(__isoc99_fprintf) F(__isoc99_printf) F(__isoc99_snprintf)
F(__isoc99_sprintf) F(__isoc99_vfprintf) F(__isoc99_vprintf)
F(__isoc99_vsnprintf) F(__isoc99_vsprintf) F(__pthread_mutex_lock)
F(__pthread_mutex_unlock) F(crypt) F(crypt_r)
F(pthread_mutexattr_getrobust_np)
F(xdr_bool) F(xdr_bytes) F(xdr_char) F(xdr_destroy) F(xdr_double)
F(xdr_enum) F(xdr_float) F(xdr_hyper) F(xdr_int) F(xdr_int16_t)
F(xdr_int32_t) F(xdr_int64_t) F(xdr_int8_t) F(xdr_long) F(xdr_longlong_t)
F(xdr_quad_t) F(xdr_short) F(xdr_string) F(xdr_u_char) F(xdr_u_hyper)
F(xdr_u_int) F(xdr_u_long) F(xdr_u_longlong_t) F(xdr_u_quad_t)
F(xdr_u_short) F(xdr_uint16_t) F(xdr_uint32_t) F(xdr_uint64_t)
F(xdr_uint8_t) F(xdrmem_create) F(xdrrec_create) F(xdrstdio_create)

/* This one is asked for when a name is to be printed; NULL: it is none of Swift's. */
char *swift_demangle(void);
char *
swift_demangle(void)
{
	return 0;
}
