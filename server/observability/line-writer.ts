const FLUSH_EVERY_MS = 100;
const MAX_HELD_CHARACTERS = 64 * 1024;

/** Where whole lines go, such as a logger's stream. */
export type LineDestination = { write(text: string): unknown };

/**
 * Writes lines together, ten times a second: a system call for each line would cost more than the
 * work it reports. A kill -9 loses at most the last tenth of a second.
 */
export class LineWriter {
  private readonly destination: LineDestination;
  private held = '';
  private timer: NodeJS.Timeout | null = null;

  constructor(destination: LineDestination) {
    this.destination = destination;
  }

  /** @param line without a trailing line feed */
  add(line: string): void {
    this.held += `${line}\n`;
    if (this.held.length > MAX_HELD_CHARACTERS) {
      this.flush();
      return;
    }
    this.timer ??= setTimeout(() => this.flush(), FLUSH_EVERY_MS).unref();
  }

  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.held === '') return;
    const text = this.held;
    this.held = '';
    this.destination.write(text);
  }
}
