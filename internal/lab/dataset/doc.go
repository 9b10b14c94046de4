// Package dataset makes and reads sets of deals with their labels: what the exact search found out about each, and what
// that cost. docs/datasets.md is for the people who use them.
//
// # Deals
//
// Every deal stands in the canonical frame: clubs are trump, north leads, and north and south declare, or east and west
// where the settings say so. Nothing is lost by
// that, since suits and seats are names alone (the paper, sections 4.1 and 5, fixes diamonds and north likewise). Row i is
// drawn from the seed and i and from nothing else, so that the rows are the same in whatever order, by however many
// workers, and on however many machines they are made. See [Settings.Deal].
//
// # Files
//
// A data set is a directory:
//
//	manifest.json        what the set is, and the rows and SHA-256 of each shard that is there
//	shard-00000.rows     rows 0 to ShardRows-1
//	shard-00000.sha256   its SHA-256, as sha256sum writes and checks it
//	shard-00000.us       how long each row took, in microseconds: 32-bit little-endian numbers
//	shard-00001.rows     and so on; the last shard may have fewer rows
//
// Files are written under another name, flushed to the disk and renamed, the .rows last: a shard that is there is whole.
// Rows and checksums are the same wherever they are made; times are not, and a set without them is a set as well.
//
// # Rows
//
// A shard is rows and nothing else, each of 17 bytes, or 19 with the goal value. Numbers are little-endian.
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
//	outcome  the OUTCOME of docs/rules.md, of the sign that won says, never 0
package dataset
