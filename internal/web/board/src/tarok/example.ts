// The example game of the paper "A Program for Playing Tarok": A plays two, takes the third group, and announces the
// kings.

export const example =
  '#v=1&c=two&d=A&h=ABCA4A1BBCACBAABBBB5ACCCC2C3CAAACAABBACBCCC6BABACBABCB&g=3&x=C8CJ&s=kD0' +
  '&p=DKDCD2HK02HQS8S7SCSKSQS9040803C7C901060910ST1113CTCQ14D4DQ12H42016D31722H32118D119HJCCH215DJCKSJ&i=0'
