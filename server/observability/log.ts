import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import pino from 'pino';
import { type GatewayError, reasonOf, SettingError } from '../lib/errors.ts';
import { settings } from '../settings/settings.ts';
import { LineLimit } from './line-limit.ts';
import type { LineDestination } from './line-writer.ts';

// Fields that may hold a credential or a card, anywhere in a caller's object.
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

/** pino's serializer would write everything attached to an error: with pg, the connection. */
function shortError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const { code } = value as NodeJS.ErrnoException;
  const { internal } = value as Partial<GatewayError>;
  return { name, message, internal, code, stack, ...(cause ? { cause: shortError(cause) } : {}) };
}

/** Lines waiting for a full disk or a slow reader of a pipe; lines beyond it are lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Where a process's lines go. Lines that could not be written go with the next line, and a write
 * never fails: a full disk is no reason to exit.
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
  // pino gets no other method: at exit it would wait forever for room.
  return { write: (text) => destination.write(text) };
}

/** Libraries print by themselves too; without a listener a full disk would end the process. */
export function outliveFullDisks(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Builds a logger that writes one JSON object a line and never writes a secret. */
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

/** A logger's destination, for lines made without the logger. */
export function destinationOf(logger: pino.Logger): LineDestination {
  const streams = logger as unknown as { [stream: symbol]: LineDestination };
  return streams[pino.symbols.streamSym] as LineDestination;
}

/** An invalid setting must not keep its own error out of the log. */
function level(): string {
  try {
    return settings().logLevel;
  } catch {
    return 'info';
  }
}

let logger: pino.Logger | undefined;
let isOnStderr = false;

/** Moves the log to stderr, for a command whose stdout holds only its result. Call it first. */
export function logToStderr(): void {
  isOnStderr = true;
}

/** The process's logger, on stdout by default. */
export function log(): pino.Logger {
  logger ??= createLogger(level(), linesTo(isOnStderr ? 2 : 1));
  return logger;
}

/**
 * Logs why a process ends. A fault that the operator has to put right, such as a setting or a key,
 * is logged without its stack, which would hide the message.
 */
export function logFatal(error: unknown): void {
  log().fatal(error instanceof SettingError ? {} : { err: error }, reasonOf(error));
}

/** Limits the text that a library prints, since anybody may choose its length. */
const MAX_PRINTED_CHARACTERS = 8_000;

/**
 * Turns what libraries print into log lines: Next prints the stacks of its faults, some of which
 * anybody can cause. Beyond a bound, lines within a second are left out and counted.
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
