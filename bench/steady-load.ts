import { Pool } from 'undici';
import { median, percentileOf } from './samples.ts';
import { spreadOf, type Verdict } from './verdicts.ts';

type Kind = 'create' | 'status';

const EVERY_MS = 5;
const CONNECTIONS = 16;
const MOST_TIMES_IDLE = 2;

/**
 * A create and a status every five milliseconds, sent at their due time, not after the previous
 * answer: a stall shows in every request that it delays, not in only one.
 */
export class SteadyLoad {
  private readonly pool: Pool;
  private readonly headers: Record<string, string>;
  private readonly invoiceId: string | null;
  private readonly latencies = new Map<string, number[]>();
  private created = 0;

  /** @param invoiceId the invoice to ask for; null sends only creates */
  constructor(port: number, headers: Record<string, string>, invoiceId: string | null) {
    this.pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
    this.headers = headers;
    this.invoiceId = invoiceId;
  }

  /** Sends during `work` and keeps the latencies under the phase's name. */
  async during(phase: string, work: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = work().finally(() => {
      isOver = true;
    });
    const startMs = performance.now();
    const sent: Promise<void>[] = [];
    for (let due = 0; !isOver; due++) {
      const dueMs = startMs + due * EVERY_MS;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      sent.push(this.send(phase, 'create', dueMs));
      if (this.invoiceId !== null) sent.push(this.send(phase, 'status', dueMs));
    }
    await over;
    await Promise.all(sent);
  }

  /**
   * The p99 latency as a multiple of the idle one: of phases named `idle 0`, `idle 1` and so on and
   * as many of the other, within a round, so that a pause of the machine spoils only one.
   */
  p99Verdict(name: string, of: { phase: string; kind: Kind; rounds: number }): Verdict {
    const p99sOf = (phase: string) =>
      Array.from({ length: of.rounds }, (_, round) => this.p99Ms(`${phase} ${round}`, of.kind));
    const [idle, other] = [p99sOf('idle'), p99sOf(of.phase)];
    const ratios = other.map((ms, round) => ms / (idle[round] ?? Number.NaN));
    return {
      name,
      measured: median(ratios),
      spread: `${spreadOf(ratios)}, ${median(other).toFixed(0)} ÷ ${median(idle).toFixed(0)} ms`,
      bar: MOST_TIMES_IDLE,
      isLimit: true,
    };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private p99Ms(phase: string, kind: Kind): number {
    return percentileOf(this.latencies.get(`${phase} ${kind}`) ?? [], 0.99);
  }

  private async send(phase: string, kind: Kind, dueMs: number): Promise<void> {
    const isCreate = kind === 'create';
    const { statusCode, body } = await this.pool.request({
      method: isCreate ? 'POST' : 'GET',
      path: isCreate
        ? '/api/sandbox/invoice/create'
        : `/api/sandbox/invoice/status?invoice_id=${this.invoiceId}`,
      headers: isCreate ? { ...this.headers, 'content-type': 'application/json' } : this.headers,
      body: isCreate ? this.invoice() : null,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${kind} was answered by ${statusCode}`);
    const key = `${phase} ${kind}`;
    const list = this.latencies.get(key) ?? [];
    this.latencies.set(key, list);
    list.push(performance.now() - dueMs);
  }

  private invoice(): string {
    this.created += 1;
    return JSON.stringify({
      amount: 1500,
      currency: 'USD',
      description: 'Bench',
      end_date: Date.now() + 86_400_000,
      positions: [{ title: 'Ticket', amount: 1500, currency: 'USD' }],
      merchant_transaction_id: `steady-${this.created}`,
      success_url: 'http://localhost/success',
      error_url: 'http://localhost/error',
      callback_url: 'http://127.0.0.1:9/callback',
    });
  }
}
