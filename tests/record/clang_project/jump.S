	.text
	.globl jump
jump:
#ifdef __x86_64__
	jmp hidden
#else
	b hidden
#endif
	.section .note.GNU-stack,"",@progbits
