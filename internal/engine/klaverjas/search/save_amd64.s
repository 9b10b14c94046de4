#include "textflag.h"

// func setShared(e *entry, first, second uint64)
TEXT ·setShared(SB), NOSPLIT, $0-24
	MOVQ e+0(FP), AX
	MOVQ first+8(FP), BX
	MOVQ second+16(FP), CX
	MOVQ BX, 0(AX)
	MOVQ CX, 8(AX)
	RET
