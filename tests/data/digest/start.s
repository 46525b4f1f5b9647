/* fake: */
.globl _start
_start:
	mov $1, %rax
loop:
	jmp loop
