#include "textflag.h"

// One row of four: Y14 is the factor, Y12 and Y13 are the row of b.
#define ROW(lo, hi) \
	VMULPS Y12, Y14, Y15; \
	VADDPS Y15, lo, lo;   \
	VMULPS Y13, Y14, Y14; \
	VADDPS Y14, hi, hi

// func gemm4x16(k int, a *float32, row, step int, b, c *float32, ldc int)
TEXT ·gemm4x16(SB), NOSPLIT, $0-56
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ row+16(FP), R8
	MOVQ step+24(FP), R9
	MOVQ b+32(FP), DI
	MOVQ c+40(FP), DX
	MOVQ ldc+48(FP), R10
	LEAQ (R8)(R8*2), R11 // 3 rows of a
	LEAQ (R10)(R10*2), R12 // 3 rows of c
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
	VMOVUPS (DX)(R10*1), Y2
	VMOVUPS 32(DX)(R10*1), Y3
	VMOVUPS (DX)(R10*2), Y4
	VMOVUPS 32(DX)(R10*2), Y5
	VMOVUPS (DX)(R12*1), Y6
	VMOVUPS 32(DX)(R12*1), Y7
loop4:
	VMOVUPS (DI), Y12
	VMOVUPS 32(DI), Y13
	VBROADCASTSS (SI), Y14
	ROW(Y0, Y1)
	VBROADCASTSS (SI)(R8*1), Y14
	ROW(Y2, Y3)
	VBROADCASTSS (SI)(R8*2), Y14
	ROW(Y4, Y5)
	VBROADCASTSS (SI)(R11*1), Y14
	ROW(Y6, Y7)
	ADDQ $64, DI
	ADDQ R9, SI
	DECQ CX
	JNZ  loop4
	VMOVUPS Y0, (DX)
	VMOVUPS Y1, 32(DX)
	VMOVUPS Y2, (DX)(R10*1)
	VMOVUPS Y3, 32(DX)(R10*1)
	VMOVUPS Y4, (DX)(R10*2)
	VMOVUPS Y5, 32(DX)(R10*2)
	VMOVUPS Y6, (DX)(R12*1)
	VMOVUPS Y7, 32(DX)(R12*1)
	VZEROUPPER
	RET

// func gemm1x16(k int, a *float32, step int, b, c *float32)
TEXT ·gemm1x16(SB), NOSPLIT, $0-40
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ step+16(FP), R9
	MOVQ b+24(FP), DI
	MOVQ c+32(FP), DX
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
loop1:
	VBROADCASTSS (SI), Y14
	VMULPS (DI), Y14, Y12
	VADDPS Y12, Y0, Y0
	VMULPS 32(DI), Y14, Y13
	VADDPS Y13, Y1, Y1
	ADDQ $64, DI
	ADDQ R9, SI
	DECQ CX
	JNZ  loop1
	VMOVUPS Y0, (DX)
	VMOVUPS Y1, 32(DX)
	VZEROUPPER
	RET

// func add8(n int, dst, src *float32)
TEXT ·add8(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ dst+8(FP), DI
	MOVQ src+16(FP), SI
loop8:
	VMOVUPS (DI), Y0
	VADDPS (SI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  loop8
	VZEROUPPER
	RET

// func relu8(n int, x *float32)
TEXT ·relu8(SB), NOSPLIT, $0-16
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), DI
	VXORPS Y1, Y1, Y1
loopRelu:
	VMOVUPS (DI), Y0
	VMAXPS Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  loopRelu
	VZEROUPPER
	RET

// func mask8(n int, d, x *float32)
TEXT ·mask8(SB), NOSPLIT, $0-24
	MOVQ n+0(FP), CX
	MOVQ d+8(FP), DI
	MOVQ x+16(FP), SI
	VXORPS Y1, Y1, Y1
loopMask:
	VMOVUPS (SI), Y0
	VCMPPS $0x0e, Y1, Y0, Y0 // x > 0
	VANDPS (DI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  loopMask
	VZEROUPPER
	RET
