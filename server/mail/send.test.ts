import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { localesOf } from '../i18n/translator.ts';
import { metrics } from '../observability/metrics.ts';
import { invitationEmail, passwordEmail } from './email-templates.ts';
import { closeMail, emailsSettled, type MailRoute, sendEmail, sendEmailLater } from './send.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  closeMail();
  for (const close of closers.splice(0)) await close();
});

const EMAIL = passwordEmail('en', {
  url: 'http://localhost:3000/dashboard/new-password/TOKEN',
  expiresAt: new Date('2026-11-21T13:00:00Z'),
});

/**
 * A real SMTP server that keeps what it receives; `refusals` is how many e-mails it refuses first,
 * `atRecipient` its reply to each recipient.
 */
async function receiver({
  refusals = 0,
  atRecipient = '',
} = {}): Promise<{ url: string; received: string[]; recipients: string[] }> {
  const received: string[] = [];
  const recipients: string[] = [];
  let left = refusals;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      recipients.push(address);
      const [responseCode, message = ''] = atRecipient.split(/ (.*)/);
      if (atRecipient === '') callback();
      else callback(Object.assign(new Error(message), { responseCode: Number(responseCode) }));
    },
    onData: (stream, _session, callback) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        left -= 1;
        if (left >= 0) return callback(new Error('mailbox busy'));
        received.push(Buffer.concat(pieces).toString());
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return { url: `smtp://127.0.0.1:${port}`, received, recipients };
}

function routeTo(smtpUrl: string | null, outboxFolder = '/nonexistent', said: string[] = []) {
  const from = 'Gateway <no-reply@example.com>';
  return { smtpUrl, from, outboxFolder, say: (line) => said.push(line) } satisfies MailRoute;
}

it('an e-mail reaches the SMTP server as text and as HTML', async () => {
  const { url, received } = await receiver();
  await sendEmail('staff@example.com', EMAIL, routeTo(url));
  expect(received).toHaveLength(1);
  expect(received[0]).toContain('To: staff@example.com');
  expect(received[0]).toContain('Subject: Reset your password');
  expect(received[0]).toContain('Content-Type: text/plain');
  expect(received[0]).toContain('Content-Type: text/html');
});

it('an e-mail goes to one recipient, whatever stands in the address', async () => {
  const { url, recipients } = await receiver();
  await sendEmail('x,victim@shop.example', EMAIL, routeTo(url));
  expect(recipients).toEqual(['"x,victim"@shop.example']);
});

it('a server that never ends an answer holds up no later e-mail', async () => {
  const { url, received } = await receiver();
  let isEndless = true;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (!isEndless) {
      socket.pipe(connect(Number(new URL(url).port), '127.0.0.1')).pipe(socket);
      return;
    }
    socket.write('220 mail.example\r\n');
    const timer = setInterval(() => socket.write('250-and so on\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const route = { ...routeTo(`smtp://127.0.0.1:${port}`), limitMs: 300 };
  const messages = ['a', 'b', 'c'].map((name) => sendEmail(`${name}@example.com`, EMAIL, route));
  const told = await Promise.allSettled(messages);
  expect(told).toMatchObject(messages.map(() => ({ reason: { kind: 'unavailable' } })));
  isEndless = false;
  await sendEmail('d@example.com', EMAIL, { ...route, limitMs: 10_000 });
  expect(received).toHaveLength(1);
});

it('a server that refuses, or is not there, is told in one plain sentence', async () => {
  const { url } = await receiver({ refusals: 1 });
  const failure = { kind: 'unavailable', message: expect.stringContaining('could not be sent') };
  await expect(sendEmail('a@example.com', EMAIL, routeTo(url))).rejects.toMatchObject(failure);
  const closed = routeTo('smtp://127.0.0.1:1');
  await expect(sendEmail('a@example.com', EMAIL, closed)).rejects.toMatchObject(failure);
});

/** A real SMTP server without TLS on all addresses; `names` has the users that signed in. */
async function openReceiver(): Promise<{ port: number; names: string[] }> {
  const names: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username = '' }, _session, callback) => {
      names.push(username);
      callback(null, { user: username });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return { port, names };
}

it('a password goes unencrypted to this machine alone, whatever the server offers', async () => {
  const { port, names } = await openReceiver();
  // This address also reaches this machine, without looking like it.
  const sending = sendEmail('a@example.com', EMAIL, routeTo(`smtp://far:x@0.0.0.0:${port}`));
  await expect(sending).rejects.toMatchObject({ kind: 'unavailable' });
  await sendEmail('a@example.com', EMAIL, routeTo(`smtp://near:x@127.0.0.1:${port}`));
  expect(names).toEqual(['near']);
});

it('a password goes unencrypted to another machine where SMTP_URL says so', async () => {
  const { port, names } = await openReceiver();
  const url = `smtp://far:x@0.0.0.0:${port}?requireTLS=false`;
  await sendEmail('a@example.com', EMAIL, routeTo(url));
  expect(names).toEqual(['far']);
});

it('an e-mail that is sent later is tried again', async () => {
  const { url, received } = await receiver({ refusals: 2 });
  sendEmailLater('a@example.com', EMAIL, { route: routeTo(url), retryAfterMs: [0, 0] });
  await emailsSettled();
  expect(received).toHaveLength(1);
});

/** The results of e-mails so far. */
async function counted(): Promise<{ sent: number; failed: number; refused: number }> {
  const { values } = await metrics().emails.get();
  const of = (outcome: string) => values.find((each) => each.labels.outcome === outcome)?.value;
  const [sent, failed, refused] = ['sent', 'failed', 'refused'].map(
    (each) => of(each) ?? Number.NaN,
  );
  return { sent, failed, refused } as { sent: number; failed: number; refused: number };
}

it('each e-mail is counted once: sent, or given up', async () => {
  const { sent, failed, refused } = await counted();
  const { url } = await receiver({ refusals: 1 });
  sendEmailLater('a@example.com', EMAIL, { route: routeTo(url), retryAfterMs: [0] });
  await emailsSettled();
  expect(await counted()).toEqual({ sent: sent + 1, failed, refused });
  const closed = routeTo('smtp://127.0.0.1:1');
  sendEmailLater('a@example.com', EMAIL, { route: closed, retryAfterMs: [0, 0] });
  await emailsSettled();
  await expect(sendEmail('a@example.com', EMAIL, closed)).rejects.toThrow();
  expect(await counted()).toEqual({ sent: sent + 1, failed: failed + 2, refused });
});

it('an e-mail whose recipient is refused for good is not tried again, and counted as such', async () => {
  const { sent, failed, refused } = await counted();
  const { url, recipients } = await receiver({ atRecipient: '550 5.1.1 no such mailbox' });
  const later = { route: routeTo(url), retryAfterMs: [0, 0] };
  sendEmailLater('gone@example.com', EMAIL, later);
  await emailsSettled();
  expect(recipients).toHaveLength(1);
  await expect(sendEmail('gone@example.com', EMAIL, routeTo(url))).rejects.toThrow();
  expect(await counted()).toEqual({ sent, failed, refused: refused + 2 });
});

it.each(['450 4.2.1 try later', '554 5.7.1 relay access denied', '530 authentication required'])(
  'a server that will not take it from us has refused no recipient: %s',
  async (atRecipient) => {
    const { sent, failed, refused } = await counted();
    const { url, recipients } = await receiver({ atRecipient });
    sendEmailLater('a@example.com', EMAIL, { route: routeTo(url), retryAfterMs: [0] });
    await emailsSettled();
    expect(recipients).toHaveLength(2);
    expect(await counted()).toEqual({ sent, failed: failed + 1, refused });
  },
);

it('without an SMTP server it lies in the outbox, for the owner alone, and its file is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-outbox-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const said: string[] = [];
  await sendEmail('staff@example.com', EMAIL, routeTo(null, join(folder, 'outbox'), said));
  const [name = ''] = await readdir(join(folder, 'outbox'));
  const file = join(folder, 'outbox', name);
  expect(said.join()).toContain(file);
  expect(said.join()).not.toContain('TOKEN');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toContain(
    'http://localhost:3000/dashboard/new-password/TOKEN',
  );
});

it.each(localesOf('mail'))('words of others stay words in the HTML (%s)', (locale) => {
  const message = invitationEmail(locale, {
    merchantName: '<b>Shop</b> & "Co"',
    invitedBy: 'owner@example.com',
    role: 'viewer',
    url: 'http://localhost:3000/dashboard/invitation/TOKEN',
    expiresAt: new Date('2026-11-28T12:00:00Z'),
  });
  expect(message.html).toContain('&lt;b&gt;Shop&lt;/b&gt; &amp; &quot;Co&quot;');
  expect(message.html).not.toContain('<b>');
  expect(message.text).toContain('http://localhost:3000/dashboard/invitation/TOKEN');
  expect(message.subject).toContain('<b>Shop</b>');
});
