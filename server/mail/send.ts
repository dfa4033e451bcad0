import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { GatewayError, reasonOf } from '../lib/errors.ts';
import { isLoopbackUrl } from '../lib/formats.ts';
import { processWide } from '../lib/process-wide.ts';
import { NoAnswerError, withTimeout } from '../lib/timeout.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import type { MailSettings } from '../settings/mail-settings.ts';
import { settings } from '../settings/settings.ts';
import type { EmailMessage } from './email-templates.ts';

/** An e-mail with what its envelope and headers may differ in. */
export type Email = EmailMessage &
  Pick<SendMailOptions, 'from' | 'replyTo' | 'messageId' | 'attachments'>;

/** Where e-mails go, and how. */
export type MailRoute = MailSettings & {
  /** The folder for e-mails without an SMTP server. */
  outboxFolder: string;
  /** Reports where an e-mail was stored, on the process's console. */
  say: (line: string) => void;
  /** Given by tests. */
  limitMs?: number;
};

const { transports, underWay } = processWide('mail', () => ({
  transports: new Map<string, Transporter>(),
  underWay: new Set<Promise<void>>(),
}));

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** For a whole e-mail: a server that sends a little every second never counts as silent. */
const EMAIL_LIMIT_MS = 120_000;
/** The longest answer of a mail server that is kept. */
const MAX_REASON = 500;
const RETRY_AFTER_MS = [2_000, 10_000, 30_000];

/** The process's own route, from its settings. */
export function mailRoute(): MailRoute {
  const { mail, dataDir } = settings();
  const say = (line: string) => process.stdout.write(`${line}\n`);
  return { ...mail, outboxFolder: join(dataDir, 'outbox'), say };
}

/** Whether a URL holds a password that would go to another machine. */
function bearsPassword(url: string): boolean {
  const { username, password } = new URL(url);
  return (username !== '' || password !== '') && !isLoopbackUrl(url);
}

function smtpTransport(url: string): Transporter {
  const known = transports.get(url);
  if (known) return known;
  const made = createTransport({
    url,
    // A man in the middle can remove STARTTLS from the server's offer.
    requireTLS: bearsPassword(url),
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    // We write the whole e-mail: nothing in it names a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transports.set(url, made);
  return made;
}

/** Two e-mails that never end would hold up all later ones: those use new connections. */
function giveUp(url: string, transport: Transporter): void {
  if (transports.get(url) === transport) transports.delete(url);
  transport.close();
}

/** Always a single address: nodemailer would parse a text into several. */
const recipient = (address: string) => ({ name: '', address });

/** Whole or not at all, and readable for the owner only: an e-mail may hold a working link. */
async function keepInOutbox(route: MailRoute, to: string, message: EmailMessage): Promise<void> {
  const written = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail({ from: route.from, to: recipient(to), ...message });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const file = join(route.outboxFolder, `${stamp}-${randomBytes(4).toString('hex')}.eml`);
  await mkdir(route.outboxFolder, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, written.message as Buffer, { mode: 0o600, flag: 'wx' });
  await rename(`${file}.new`, file);
  route.say(`An e-mail to ${to} lies in ${file} (SMTP_URL is not set).`);
}

async function deliver(to: string, message: Email, route: MailRoute): Promise<void> {
  const { smtpUrl, from, limitMs = EMAIL_LIMIT_MS } = route;
  if (smtpUrl === null) {
    await keepInOutbox(route, to, message);
    return;
  }
  const transport = smtpTransport(smtpUrl);
  const sending = transport.sendMail({ from, to: recipient(to), ...message });
  await withTimeout(limitMs, sending).catch((error: unknown) => {
    if (error instanceof NoAnswerError) giveUp(smtpUrl, transport);
    throw error;
  });
}

/** `refused`: the address never accepts it, however often tried; `failed`: the fault is ours. */
type Outcome = 'sent' | 'failed' | 'refused';

/**
 * Whether an SMTP server has refused the recipient for good (RFC 5321, 4.2.1). A sender without
 * permission gets its refusal at the same command, as 530 or a policy code (RFC 3463, X.7.X).
 */
function isRefusal(failure: unknown): boolean {
  const {
    command,
    responseCode = 0,
    response = '',
  } = failure as {
    command?: string;
    responseCode?: number;
    response?: string;
  };
  const isOurs = responseCode === 530 || /^5\d\d[ -]5\.7\./.test(response);
  return command === 'RCPT TO' && responseCode >= 500 && !isOurs;
}

/**
 * Tries to send an e-mail, once.
 *
 * @returns `reason` is the mail server's answer, or why there was none; empty when it was sent
 */
export async function tryEmail(
  to: string,
  message: Email,
  route: MailRoute,
): Promise<{ outcome: Outcome; reason: string }> {
  try {
    await deliver(to, message, route);
    return { outcome: 'sent', reason: '' };
  } catch (error) {
    const outcome = isRefusal(error) ? 'refused' : 'failed';
    log().error({ err: error, subject: message.subject, outcome }, 'an e-mail could not be sent');
    const { response } = error as { response?: string };
    return { outcome, reason: (response ?? reasonOf(error)).slice(0, MAX_REASON) };
  }
}

/** The address from which e-mails come, without its name. */
export function senderOf({ from }: MailRoute): string {
  return /<([^<>]+)>/.exec(from)?.[1] ?? from;
}

/**
 * Sends an e-mail, or stores it as a file where no SMTP server is set. Call it after the commit of
 * what it reports, never inside a transaction.
 *
 * @throws GatewayError `unavailable` when the SMTP server did not accept it
 */
export async function sendEmail(
  to: string,
  message: EmailMessage,
  route: MailRoute,
): Promise<void> {
  const { outcome } = await tryEmail(to, message, route);
  metrics().emails.inc({ outcome });
  if (outcome === 'sent') return;
  throw new GatewayError('email_not_sent');
}

/** The options for an e-mail sent after the answer. */
export type SendingLater = { route?: MailRoute; retryAfterMs?: readonly number[] };

/**
 * Sends an e-mail after the answer, whose time then does not reveal whether there was one; a
 * failing server is tried again a few times.
 */
export function sendEmailLater(
  to: string,
  message: EmailMessage,
  { route = mailRoute(), retryAfterMs = RETRY_AFTER_MS }: SendingLater = {},
): void {
  const work = async (): Promise<void> => {
    let outcome: Outcome = 'failed';
    for (const delayMs of [0, ...retryAfterMs]) {
      await sleep(delayMs, undefined, { ref: false });
      // Each failure is logged where it happens.
      ({ outcome } = await tryEmail(to, message, route));
      if (outcome !== 'failed') break;
    }
    metrics().emails.inc({ outcome });
  };
  const sending = work().finally(() => underWay.delete(sending));
  underWay.add(sending);
}

/** Resolves when no e-mail is under way: call it before the process ends. */
export async function emailsSettled(): Promise<void> {
  await Promise.all(underWay);
}

/** Closes the connections to SMTP servers; unsent and retried e-mails are given up. */
export function closeMail(): void {
  if (underWay.size > 0) log().warn({ emails: underWay.size }, 'e-mails were given up');
  for (const transport of transports.values()) transport.close();
  transports.clear();
}
