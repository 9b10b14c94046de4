#include "textflag.h"

// Eight 32-bit sums: those of a pair, in Y14, times what stands in the panel.
#define MUL(at, tmp, sum) \
	VPMADDWD at(DI)(AX*1), Y14, tmp; \
	VPADDD tmp, sum, sum

// The next pair: its two elements to Y14, and its row's place in the panel to AX.
#define PAIR(size) \
	MOVWLZX (BX), AX;              \
	VPBROADCASTD (SI)(AX*4), Y14;  \
	SHLQ $size, AX;                \
	ADDQ $2, BX

#define ARGS \
	MOVQ n+0(FP), CX;      \
	MOVQ pairs+8(FP), BX;  \
	MOVQ x+16(FP), SI;     \
	MOVQ w+24(FP), DI;     \
	MOVQ start+32(FP), R8; \
	MOVQ out+40(FP), DX

// A panel of 96 columns has 384 bytes a pair.
#define SUMS96(loop) \
	VMOVDQU (R8), Y0;      \
	VMOVDQU 32(R8), Y1;    \
	VMOVDQU 64(R8), Y2;    \
	VMOVDQU 96(R8), Y3;    \
	VMOVDQU 128(R8), Y4;   \
	VMOVDQU 160(R8), Y5;   \
	VMOVDQU 192(R8), Y6;   \
	VMOVDQU 224(R8), Y7;   \
	VMOVDQU 256(R8), Y8;   \
	VMOVDQU 288(R8), Y9;   \
	VMOVDQU 320(R8), Y10;  \
	VMOVDQU 352(R8), Y11;  \
loop:                      \
	PAIR(7);               \
	LEAQ (AX)(AX*2), AX;   \
	MUL(0, Y12, Y0);       \
	MUL(32, Y13, Y1);      \
	MUL(64, Y15, Y2);      \
	MUL(96, Y12, Y3);      \
	MUL(128, Y13, Y4);     \
	MUL(160, Y15, Y5);     \
	MUL(192, Y12, Y6);     \
	MUL(224, Y13, Y7);     \
	MUL(256, Y15, Y8);     \
	MUL(288, Y12, Y9);     \
	MUL(320, Y13, Y10);    \
	MUL(352, Y15, Y11);    \
	DECQ CX;               \
	JNZ  loop

#define SUMS64(loop) \
	VMOVDQU (R8), Y0;     \
	VMOVDQU 32(R8), Y1;   \
	VMOVDQU 64(R8), Y2;   \
	VMOVDQU 96(R8), Y3;   \
	VMOVDQU 128(R8), Y4;  \
	VMOVDQU 160(R8), Y5;  \
	VMOVDQU 192(R8), Y6;  \
	VMOVDQU 224(R8), Y7;  \
loop:                     \
	PAIR(8);              \
	MUL(0, Y8, Y0);       \
	MUL(32, Y9, Y1);      \
	MUL(64, Y10, Y2);     \
	MUL(96, Y11, Y3);     \
	MUL(128, Y12, Y4);    \
	MUL(160, Y13, Y5);    \
	MUL(192, Y15, Y6);    \
	MUL(224, Y8, Y7);     \
	DECQ CX;              \
	JNZ  loop

#define SUMS32(loop) \
	VMOVDQU (R8), Y0;    \
	VMOVDQU 32(R8), Y1;  \
	VMOVDQU 64(R8), Y2;  \
	VMOVDQU 96(R8), Y3;  \
loop:                    \
	PAIR(7);             \
	MUL(0, Y8, Y0);      \
	MUL(32, Y9, Y1);     \
	MUL(64, Y10, Y2);    \
	MUL(96, Y11, Y3);    \
	DECQ CX;             \
	JNZ  loop

#define SUMS16(loop) \
	VMOVDQU (R8), Y0;    \
	VMOVDQU 32(R8), Y1;  \
loop:                    \
	PAIR(6);             \
	MUL(0, Y8, Y0);      \
	MUL(32, Y9, Y1);     \
	DECQ CX;             \
	JNZ  loop

#define SHIFT \
	MOVQ shift+48(FP), AX; \
	VMOVQ AX, X14;         \
	MOVQ limit+56(FP), AX; \
	VMOVQ AX, X15;         \
	VPBROADCASTW X15, Y15

// Sixteen sums to activations. Packing takes what is below 0 for 0.
#define NARROW(lo, hi, at) \
	VPSRAD X14, lo, lo;      \
	VPSRAD X14, hi, hi;      \
	VPACKUSDW hi, lo, lo;    \
	VPERMQ $0xd8, lo, lo;    \
	VPMINUW Y15, lo, lo;     \
	VMOVDQU lo, at(DX)

// func sums96(n int, pairs *uint16, x, w *int16, start, out *int32)
TEXT ·sums96(SB), NOSPLIT, $0-48
	ARGS
	SUMS96(loop)
	VMOVDQU Y0, (DX)
	VMOVDQU Y1, 32(DX)
	VMOVDQU Y2, 64(DX)
	VMOVDQU Y3, 96(DX)
	VMOVDQU Y4, 128(DX)
	VMOVDQU Y5, 160(DX)
	VMOVDQU Y6, 192(DX)
	VMOVDQU Y7, 224(DX)
	VMOVDQU Y8, 256(DX)
	VMOVDQU Y9, 288(DX)
	VMOVDQU Y10, 320(DX)
	VMOVDQU Y11, 352(DX)
	VZEROUPPER
	RET

// func sums64(n int, pairs *uint16, x, w *int16, start, out *int32)
TEXT ·sums64(SB), NOSPLIT, $0-48
	ARGS
	SUMS64(loop)
	VMOVDQU Y0, (DX)
	VMOVDQU Y1, 32(DX)
	VMOVDQU Y2, 64(DX)
	VMOVDQU Y3, 96(DX)
	VMOVDQU Y4, 128(DX)
	VMOVDQU Y5, 160(DX)
	VMOVDQU Y6, 192(DX)
	VMOVDQU Y7, 224(DX)
	VZEROUPPER
	RET

// func sums32(n int, pairs *uint16, x, w *int16, start, out *int32)
TEXT ·sums32(SB), NOSPLIT, $0-48
	ARGS
	SUMS32(loop)
	VMOVDQU Y0, (DX)
	VMOVDQU Y1, 32(DX)
	VMOVDQU Y2, 64(DX)
	VMOVDQU Y3, 96(DX)
	VZEROUPPER
	RET

// func sums16(n int, pairs *uint16, x, w *int16, start, out *int32)
TEXT ·sums16(SB), NOSPLIT, $0-48
	ARGS
	SUMS16(loop)
	VMOVDQU Y0, (DX)
	VMOVDQU Y1, 32(DX)
	VZEROUPPER
	RET

// func narrow96(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)
TEXT ·narrow96(SB), NOSPLIT, $0-64
	ARGS
	SUMS96(loop)
	SHIFT
	NARROW(Y0, Y1, 0)
	NARROW(Y2, Y3, 32)
	NARROW(Y4, Y5, 64)
	NARROW(Y6, Y7, 96)
	NARROW(Y8, Y9, 128)
	NARROW(Y10, Y11, 160)
	VZEROUPPER
	RET

// func narrow64(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)
TEXT ·narrow64(SB), NOSPLIT, $0-64
	ARGS
	SUMS64(loop)
	SHIFT
	NARROW(Y0, Y1, 0)
	NARROW(Y2, Y3, 32)
	NARROW(Y4, Y5, 64)
	NARROW(Y6, Y7, 96)
	VZEROUPPER
	RET

// func narrow32(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)
TEXT ·narrow32(SB), NOSPLIT, $0-64
	ARGS
	SUMS32(loop)
	SHIFT
	NARROW(Y0, Y1, 0)
	NARROW(Y2, Y3, 32)
	VZEROUPPER
	RET

// func narrow16(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)
TEXT ·narrow16(SB), NOSPLIT, $0-64
	ARGS
	SUMS16(loop)
	SHIFT
	NARROW(Y0, Y1, 0)
	VZEROUPPER
	RET

// func collect16(n int, pairs *uint16, x *int16, order *[256][8]uint8) int
TEXT ·collect16(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ pairs+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ order+24(FP), R8
	MOVQ DX, R9
	VPXOR Y0, Y0, Y0
	VPXOR X1, X1, X1 // the first of the eight pairs, eight times
	MOVQ $0x0008000800080008, AX
	VMOVQ AX, X2
	VPBROADCASTQ X2, X2
loop:
	VPCMPEQD (SI), Y0, Y3
	VMOVMSKPS Y3, AX
	XORL $0xff, AX
	VPMOVZXBW (R8)(AX*8), X4
	VPADDW X1, X4, X4
	VMOVDQU X4, (DX)
	POPCNTL AX, AX
	LEAQ (DX)(AX*2), DX
	VPADDW X2, X1, X1
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  loop
	SUBQ R9, DX
	SHRQ $1, DX
	MOVQ DX, ret+32(FP)
	VZEROUPPER
	RET

// One suit's rows, added to what stands in a register.
#define ROWS(at, sum) \
	MOVL at(BX), AX;                \
	VPADDW (R9)(AX*2), sum, sum;    \
	MOVL (at+4)(BX), AX;            \
	VPADDW (R9)(AX*2), sum, sum;    \
	MOVL (at+8)(BX), AX;            \
	VPADDW (R9)(AX*2), sum, sum

#define FETCH(at) \
	MOVL at(BX), AX;      \
	PREFETCHT0 (R9)(AX*2)

// How many deals ahead rows are fetched, times the bytes of Rows.
#define AHEAD 192

// func codes16(n, width int, deals *Rows, tables, first, x, plain *int16, limit int)
TEXT ·codes16(SB), NOSPLIT, $0-64
	MOVQ n+0(FP), CX
	MOVQ width+8(FP), R8
	MOVQ deals+16(FP), BX
	MOVQ tables+24(FP), SI
	MOVQ x+40(FP), DI
	MOVQ plain+48(FP), DX
	MOVQ limit+56(FP), AX
	VMOVQ AX, X15
	VPBROADCASTW X15, Y15
	VPXOR Y14, Y14, Y14
	ADDQ R8, R8 // bytes
	LEAQ (R8)(R8*2), R14
deal:
	CMPQ CX, $4
	JLE  now
	MOVQ SI, R9
	LEAQ (SI)(R8*1), R10
fetch:
	FETCH(AHEAD)
	FETCH(AHEAD+4)
	FETCH(AHEAD+8)
	FETCH(AHEAD+12)
	FETCH(AHEAD+16)
	FETCH(AHEAD+20)
	FETCH(AHEAD+24)
	FETCH(AHEAD+28)
	FETCH(AHEAD+32)
	FETCH(AHEAD+36)
	FETCH(AHEAD+40)
	FETCH(AHEAD+44)
	ADDQ $64, R9
	CMPQ R9, R10
	JLT  fetch
now:
	MOVQ SI, R9
	LEAQ (SI)(R8*1), R10
	MOVQ first+32(FP), R11
column:
	VMOVDQU (R11), Y0
	VMOVDQU (R11)(R8*1), Y1
	VMOVDQA Y1, Y2
	VMOVDQA Y1, Y3
	ROWS(0, Y0)
	ROWS(12, Y1)
	ROWS(24, Y2)
	ROWS(36, Y3)
	VPMAXSW Y14, Y0, Y0
	VPMAXSW Y14, Y1, Y1
	VPMAXSW Y14, Y2, Y2
	VPMAXSW Y14, Y3, Y3
	VPMINSW Y15, Y1, Y1
	VPMINSW Y15, Y2, Y2
	VPMINSW Y15, Y3, Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, (DX)
	VMOVDQU Y2, (DX)(R8*1)
	VMOVDQU Y3, (DX)(R8*2)
	VPADDW Y1, Y2, Y2
	VPADDW Y2, Y3, Y3
	VMOVDQU Y3, (DI)(R8*1)
	ADDQ $32, R9
	ADDQ $32, R11
	ADDQ $32, DI
	ADDQ $32, DX
	CMPQ R9, R10
	JLT  column
	ADDQ R8, DI
	LEAQ (DX)(R8*2), DX
	ADDQ $48, BX
	DECQ CX
	JNZ  deal
	VZEROUPPER
	RET

// func sum316(rows, width int, plain, x *int16)
TEXT ·sum316(SB), NOSPLIT, $0-32
	MOVQ rows+0(FP), CX
	MOVQ width+8(FP), R8
	MOVQ plain+16(FP), SI
	MOVQ x+24(FP), DI
	ADDQ R8, R8 // bytes
row:
	ADDQ R8, DI
	LEAQ (SI)(R8*1), R10
column:
	VMOVDQU (SI), Y0
	VPADDW (SI)(R8*1), Y0, Y0
	VPADDW (SI)(R8*2), Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	CMPQ SI, R10
	JLT  column
	LEAQ (SI)(R8*2), SI
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET
