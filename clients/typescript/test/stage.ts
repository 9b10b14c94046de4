// The stage of the tests of all clients: a real server behind a proxy that refuses, cuts and restarts (clients/stage).

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export class Stage {
  private constructor(
    readonly url: string,
    readonly key: string,
    /** The server itself. */
    readonly direct: string,
    /** An address where nothing listens. */
    readonly closed: string,
    /** A server that is not Roem. */
    readonly strangers: string,
    private readonly control: string,
    readonly end: () => void,
  ) {}

  static async start(): Promise<Stage> {
    const { ROEM_STAGE, ROEM_SERVER } = process.env
    if (!ROEM_STAGE || !ROEM_SERVER) throw new Error('run the tests with make test-clients')
    const child = spawn(ROEM_STAGE, ['-server', ROEM_SERVER], { stdio: ['pipe', 'pipe', 'inherit'] })
    for await (const line of createInterface(child.stdout)) {
      const { url, key, direct, closed, strangers, control } = JSON.parse(line) as Record<string, string>
      return new Stage(url!, key!, direct!, closed!, strangers!, control!, () => child.stdin.end())
    }
    throw new Error('the stage ended')
  }

  async tell(what: string): Promise<void> {
    const answer = await fetch(this.control + what, { method: 'POST' })
    if (!answer.ok) throw new Error(await answer.text())
  }

  counts = (): Promise<{ jobs: number; sessions: number; requests: number; cut: number }> => this.ask('/counts')

  streams = (): Promise<{ after: string; sent: string[] }[]> => this.ask('/streams')

  private async ask<T>(what: string): Promise<T> {
    const answer = await fetch(this.control + what)
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as T
  }
}
