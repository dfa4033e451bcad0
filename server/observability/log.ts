import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import pino from 'pino';
import { type GatewayError, reasonOf, SettingError } from '../lib/errors.ts';
import { settings } from '../settings/settings.ts';
import { LineLimit } from './line-limit.ts';
import type { LineDestination } from './line-writer.ts';

// Whatever may hold a credential or a card, wherever a caller's object carries it.
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'cardNumber',
  'card_number',
  'number',
  'cvc',
  'pan',
  'password',
  'passwordHash',
  'token',
  'secret',
  'apiToken',
  'api_token',
  'webhookSecret',
  'webhook_secret',
];

/** pino's own would write out all that hangs on an error: with pg, the whole connection. */
function shortError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const { code } = value as NodeJS.ErrnoException;
  const { internal } = value as Partial<GatewayError>;
  return { name, message, internal, code, stack, ...(cause ? { cause: shortError(cause) } : {}) };
}

/** Lines that wait for a full disk, or for a reader of a pipe that is busy; what is beyond is lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Where a process's lines go. What cannot be written goes with the next line, and a write never fails:
 * a full disk is no reason to end.
 *
 * @param fd 1 for stdout, 2 for stderr
 */
function linesTo(fd: number): LineDestination {
  const destination = pino.destination({
    fd,
    sync: true,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: () => false,
  });
  destination.on('error', () => undefined);
  // No more of it for pino, which at the end of a process would wait for room without end.
  return { write: (text) => destination.write(text) };
}

/** Libraries print by themselves, too: without a listener a full disk would end the process. */
export function outliveFullDisks(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Builds a logger that writes one JSON object a line and never a secret. */
export function createLogger(
  level: string,
  destination: LineDestination = linesTo(1),
): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: shortError, error: shortError },
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}

/** Where a logger writes, for lines that are made without it. */
export function destinationOf(logger: pino.Logger): LineDestination {
  const streams = logger as unknown as { [stream: symbol]: LineDestination };
  return streams[pino.symbols.streamSym] as LineDestination;
}

/** A setting that cannot be read must not keep its own fault out of the log. */
function level(): string {
  try {
    return settings().logLevel;
  } catch {
    return 'info';
  }
}

let logger: pino.Logger | undefined;
let isOnStderr = false;

/** For a command, whose stdout holds its result alone. Call it before anything is logged. */
export function logToStderr(): void {
  isOnStderr = true;
}

/** The process's logger, on stdout where nothing else is said. */
export function log(): pino.Logger {
  logger ??= createLogger(level(), linesTo(isOnStderr ? 2 : 1));
  return logger;
}

/**
 * Tells why a process ends. What the operator has to put right, a setting or a key, is said in
 * words alone: the stack of a fault of ours would tell them nothing, and hide the words.
 */
export function logFatal(error: unknown): void {
  log().fatal(error instanceof SettingError ? {} : { err: error }, reasonOf(error));
}

/** Limits a text that a library prints, since its length may be anybody's choice. */
const MAX_PRINTED_CHARACTERS = 8_000;

/**
 * Has what libraries print by themselves become lines of the log: Next prints the stacks of its faults,
 * some of which anybody can cause. Of many in a second some are left out, and counted.
 */
export function logWhatIsPrinted(logger = log()): void {
  const limit = new LineLimit();
  const into = (level: 'info' | 'error') =>
    new Writable({
      write(chunk, _encoding, done) {
        const unlogged = limit.take(performance.now());
        if (unlogged !== null) {
          const text = stripVTControlCharacters(String(chunk)).trim();
          const before = unlogged > 0 && { unlogged };
          logger[level]({ ...before }, text.slice(0, MAX_PRINTED_CHARACTERS));
        }
        done();
      },
    });
  globalThis.console = new Console({ stdout: into('info'), stderr: into('error') });
}
