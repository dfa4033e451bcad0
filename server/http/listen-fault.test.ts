import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listenFault } from './listen-fault.ts';

/** The error of a server that cannot listen there. */
async function faultAt(port: number, host: string): Promise<string | null> {
  const server = createServer();
  const failed = once(server, 'error') as Promise<[NodeJS.ErrnoException]>;
  server.listen(port, host);
  const [error] = await failed;
  return listenFault(error, { port, host });
}

it('names the setting of a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await faultAt(port, '127.0.0.1')).toMatch(`Port ${port} is in use by another program.`);
  other.close();
});

it('names the setting of an address of another machine', async () => {
  expect(await faultAt(0, '192.0.2.1')).toBe(
    'This machine has no address 192.0.2.1. Check the setting HOST.',
  );
});

// Errors are made by hand: the text and time of a look-up depend on the machine's name servers.
it.each([
  ['ENOTFOUND', 'nowhere.invalid is no address that this machine knows. Check the setting HOST.'],
  ['EAI_AGAIN', 'nowhere.invalid is no address that this machine knows. Check the setting HOST.'],
  ['EACCES', 'Port 80 may not be used by this account. Choose one above 1023, such as PORT=3000'],
  ['EMFILE', null],
])('says of %s: %s', (code, told) => {
  const error = Object.assign(new Error(code), { code });
  expect(listenFault(error, { port: 80, host: 'nowhere.invalid' })).toBe(told);
});
