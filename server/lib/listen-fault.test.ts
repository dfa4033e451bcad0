import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listenFault } from './listen-fault.ts';

/** What a server that cannot listen there says. */
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

it('names the setting of an address of another machine, and of a name that is none', async () => {
  expect(await faultAt(0, '192.0.2.1')).toBe(
    'This machine has no address 192.0.2.1. Check the setting HOST.',
  );
  expect(await faultAt(0, 'nowhere.invalid')).toMatch('nowhere.invalid is no address');
});

it('leaves any other fault to its own words', () => {
  const error = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  expect(listenFault(error, { port: 1, host: undefined })).toBe(null);
});
