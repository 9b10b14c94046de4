// Package dataset makes and reads data sets: deals with labels from the exact search. lab/docs/klaverjas/datasets.md describes them for
// users.
//
// # Deals
//
// In every deal clubs are trump and north leads. North and south declare, or east and west if the settings say so. This is no
// restriction, since suits and seats are only names (the paper, sections 4.1 and 5, fixes diamonds and north in the same way). Row i
// is drawn only from the seed and i, so the rows do not depend on the order, the number of workers, or the machines
// on which they are made. See [Settings.Deal].
//
// # Files
//
// A data set is a directory:
//
//	manifest.json        the settings, and the rows and SHA-256 of each existing shard
//	shard-00000.rows     rows 0 to ShardRows-1
//	shard-00000.sha256   its SHA-256, as sha256sum writes and checks it
//	shard-00000.us       the time of each row in microseconds: 32-bit little-endian numbers
//	shard-00001.rows     and so on; the last shard may have fewer rows
//
// Files are written under a temporary name, flushed to the disk and renamed, .rows last. So a shard with a .rows file is complete.
// Rows and checksums are the same on every machine. Times are not; they are optional.
//
// # Rows
//
// A shard consists of rows of 17 bytes each, or 19 with the goal value. Numbers are little-endian.
//
//	byte  0              7 8             15 16    17     18
//	     +----------------+----------------+-----+----------+
//	     | owners, uint64 | nodes, uint64  | won | outcome, |
//	     |                |                | 0/1 | int16    |
//	     +----------------+----------------+-----+----------+
//	                                        win  | value alone
//
//	owners   bit 63 62        17 16 15 14    3 2 1 0
//	             AS     ....   7D    AC  ..   8C  7C     card n = 8 x suit + face has bits 2n and 2n+1,
//	                                                     suits in the order C D H S (clubs are trump),
//	                                                     faces 7 8 9 10 J Q K A;
//	                                                     N E S W = 0 1 2 3, the order of play
//	nodes    cards played by the search
//	won      1 if the declarers win
//	outcome  the OUTCOME of docs/reference/rules/klaverjas.md: positive if won is 1, negative if it is 0
package dataset
