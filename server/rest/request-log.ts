import type { Logger } from 'pino';
import { LineWriter } from '../observability/line-writer.ts';
import { destinationOf } from '../observability/log.ts';

/** The log's view of a request, whatever its result. */
export type RequestLine = {
  requestId: string;
  method: string;
  path: string;
  status: number;
  durationMs: number;
};

const MAX_QUOTED = 100;

/**
 * Writes one line for every request, so that the id of every answer is in the logs.
 *
 * The fields are fixed and hold no secret, so they need no redaction.
 */
export class RequestLog {
  private readonly log: Logger;
  private readonly lines: LineWriter;
  private timeMs = Number.NaN;
  private timeText = '';
  private readonly quoted = new Map<string, string>();

  constructor(log: Logger) {
    this.log = log;
    this.lines = new LineWriter(destinationOf(log));
  }

  record({ requestId, method, path, status, durationMs }: RequestLine, now: Date): void {
    if (!this.log.isLevelEnabled('info')) return;
    const tenths = Math.round(durationMs * 10);
    this.lines.add(
      `{"level":"info","time":"${this.timeOf(now)}","requestId":"${requestId}",` +
        `"method":${this.quote(method)},"path":${this.quote(path)},"status":${status},` +
        // Whole numbers are formatted several times as fast as fractions.
        `"durationMs":${Math.floor(tenths / 10)}.${tenths % 10},"msg":"request"}`,
    );
  }

  /** Many requests share a millisecond, and formatting one costs as much as a line. */
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
    this.lines.flush();
  }
}
