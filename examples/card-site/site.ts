// A card site: a hand against the program, with hints and a review. PORT=3000 serves a page to play on; without it the hints play.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { index, ProblemDocument, Roem } from '@roem/client'

const roem = new Roem(process.env['ROEM'])
type Move = Parameters<typeof roem.klaverjas.sessionPlay>[1] & { id: string }

/** What the page asks for. */
const site = {
  deal: () =>
    roem.klaverjas.createSession({ trump: 'H', leader: 'W', players: { partner: 'simple', opponents: 'simple' } }),
  async hint({ id }: Pick<Move, 'id'>) {
    const { view } = await roem.klaverjas.session(id)
    return roem.klaverjas.advise({ ...view!, worlds: 20, seed: '1' })
  },
  play: ({ id, acts, card }: Move) => roem.klaverjas.sessionPlay(id, { acts, card }),
  async review({ id }: Pick<Move, 'id'>) {
    const { revealed } = await roem.klaverjas.session(id)
    return roem.klaverjas.review({ ...revealed!, worlds: 40 })
  },
  async wins() {
    const deals = Array.from({ length: 200 }, (_, n) => roem.klaverjas.randomDeal({ seed: index(n) }))
    const positions = (await Promise.all(deals)).map(({ position }) => position)
    const { results } = await (await roem.start('klaverjas.solve_batch', { positions })).wait()
    return results.filter((result) => result.ok && result.won).length
  },
}

async function play() {
  let hand = await site.deal()
  while (hand.state === 'playing') hand = await site.play({ ...hand, card: (await site.hint(hand)).card })
  console.log(`Trump hearts, ${hand.seat} and partner: ${hand.totals.NS} points.`)
  for (const { card, verdict } of (await site.review(hand)).cards) console.log(`${card}: ${verdict}`)
  console.log(`With all cards open the declarers win ${await site.wins()} of 200 deals.`)
}

function serve(port: string) {
  const server = createServer(async (request, response) => {
    const ask = site[request.url?.slice(1) as keyof typeof site]
    if (!ask) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      return void response.end(await readFile(process.argv[2] ?? 'examples/card-site/page.html'))
    }
    try {
      let text = ''
      for await (const part of request) text += part
      response.end(JSON.stringify(await ask(JSON.parse(text) as Move)))
    } catch (error) {
      response.statusCode = error instanceof ProblemDocument ? error.status : 500
      response.end(JSON.stringify({ detail: String(error) }))
    }
  })
  const say = () => console.log(`http://localhost:${(server.address() as AddressInfo).port}`)
  server.listen(Number(port), 'localhost', say)
}

if (process.env['PORT']) serve(process.env['PORT'])
else await play()
