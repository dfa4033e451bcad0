import pino, { type Logger } from 'pino';

/** What is said of a request, whatever came of it. */
export type RequestLine = {
  requestId: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
};

const FLUSH_EVERY_MS = 100;
const MAX_HELD_CHARACTERS = 64 * 1024;
const MAX_QUOTED = 100;

type Destination = { write(text: string): unknown };

/**
 * One line for every request, so that the id of every answer stands in the logs.
 *
 * Lines are written together, ten times a second: a system call for each request
 * would cost more than answering a status. What a kill -9 takes with it is at most
 * the last tenth of a second. The fields are fixed and hold no secret, so that
 * nothing has to be looked for in them.
 */
export class RequestLog {
  private readonly log: Logger;
  private readonly destination: Destination;
  private held = '';
  private timeMs = Number.NaN;
  private timeText = '';
  private readonly quoted = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.log = log;
    this.destination = (log as unknown as { [stream: symbol]: Destination })[
      pino.symbols.streamSym
    ] as Destination;
  }

  record({ requestId, method, path, status, durationMs }: RequestLine, now: Date): void {
    if (!this.log.isLevelEnabled('info')) return;
    this.held +=
      `{"level":"info","time":"${this.timeOf(now)}","requestId":"${requestId}",` +
      `"method":${this.quote(method)},"path":${this.quote(path)},"status":${status},` +
      `"durationMs":${Math.round(durationMs * 10) / 10},"msg":"request"}\n`;
    if (this.held.length > MAX_HELD_CHARACTERS) {
      this.flush();
      return;
    }
    this.timer ??= setTimeout(() => this.flush(), FLUSH_EVERY_MS).unref();
  }

  /** Many requests share a millisecond, and writing one out costs as much as a line. */
  private timeOf(now: Date): string {
    if (now.getTime() !== this.timeMs) {
      this.timeMs = now.getTime();
      this.timeText = now.toISOString();
    }
    return this.timeText;
  }

  private quote(text: string): string {
    const known = this.quoted.get(text);
    if (known !== undefined) return known;
    // Anybody can ask for any path.
    if (this.quoted.size >= MAX_QUOTED) this.quoted.clear();
    const made = JSON.stringify(text);
    this.quoted.set(text, made);
    return made;
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.held === '') return;
    this.destination.write(this.held);
    this.held = '';
  }
}
