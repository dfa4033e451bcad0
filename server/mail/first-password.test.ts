import { SMTPServer } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { BROKEN_MAIL } from '../testing/mail.ts';
import { handOver } from './first-password.ts';
import { closeMail, type MailRoute } from './send.ts';

const LINK = { email: 'kim@example.com', token: 'TOKEN', expiresAt: new Date('2026-11-28T12:00Z') };
const expiresAtMs = LINK.expiresAt.getTime();
const PUBLIC_URL = 'https://pay.example';
const URL = `${PUBLIC_URL}/dashboard/new-password/TOKEN`;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  closeMail();
  for (const close of closers.splice(0)) await close();
});

/** The route to a real SMTP server, and the e-mails it received. */
async function smtp(): Promise<{ route: MailRoute; received: string[] }> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, callback) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        received.push(Buffer.concat(pieces).toString().replaceAll('=\r\n', ''));
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return { route: { ...BROKEN_MAIL, smtpUrl: `smtp://127.0.0.1:${port}` }, received };
}

it.each([
  ['Coffee Ltd', 'You have been made an owner of Coffee Ltd'],
  [null, 'You have been made an operator'],
])(
  'an e-mail has the link, and nobody else sees it: owner of %s',
  async (merchantName, sentence) => {
    const { route, received } = await smtp();
    const handed = await handOver(LINK, { merchantName, publicUrl: PUBLIC_URL }, route);
    expect(handed).toEqual({ url: null, isSent: true, expiresAtMs });
    expect(received).toHaveLength(1);
    expect(received[0]).toContain('To: kim@example.com');
    expect(received[0]).toContain(sentence);
    expect(received[0]).toContain(URL);
    expect(received[0]).toContain('until 28 November 2026');
    expect(received[0]).toContain('lang=3D"ru"');
  },
);

it('where an e-mail fails the link stays unseen', async () => {
  const to = { merchantName: null, publicUrl: PUBLIC_URL };
  expect(await handOver(LINK, to, BROKEN_MAIL)).toEqual({ url: null, isSent: false, expiresAtMs });
});

it('without an SMTP server, or where nobody knows the gateway’s address, it is shown', async () => {
  const { route, received } = await smtp();
  const here = { merchantName: null, publicUrl: PUBLIC_URL };
  expect(await handOver(LINK, here, { ...route, smtpUrl: null })).toEqual({
    ...{ url: URL, isSent: false, expiresAtMs },
  });
  const nowhere = { merchantName: null, publicUrl: null };
  expect(await handOver(LINK, nowhere, route)).toEqual({
    ...{ url: '/dashboard/new-password/TOKEN', isSent: false, expiresAtMs },
  });
  expect(received).toEqual([]);
});
