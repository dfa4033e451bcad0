/** A way for letters by which every one fails: a closed port. */
export const BROKEN_MAIL = {
  smtpUrl: 'smtp://127.0.0.1:1',
  from: 'gateway@example.com',
  outboxFolder: '',
  say: () => undefined,
};
