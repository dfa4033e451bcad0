import { createHash, timingSafeEqual } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '#db-client';
import type { PeerSettings } from './settings.ts';

/** What both routes use; read at the first request, since a build has no settings. */
export type Peer = PeerSettings & { prisma: PrismaClient; tokenHash: Buffer };

const PEER = Symbol.for('bench.peer');
const globals = globalThis as typeof globalThis & { [PEER]?: Peer };

function open(): Peer {
  const settings = JSON.parse(process.env.PEER_SETTINGS ?? '') as PeerSettings;
  const adapter = new PrismaPg({
    connectionString: settings.databaseUrl,
    max: settings.poolSize,
  });
  const tokenHash = createHash('sha256').update(settings.token).digest();
  return { ...settings, prisma: new PrismaClient({ adapter }), tokenHash };
}

/** The process's peer. */
export function peer(): Peer {
  globals[PEER] ??= open();
  return globals[PEER];
}

/** Whether a request carries the single token and its merchant. */
export function isAuthorised({ headers }: Request, { tokenHash, merchantId }: Peer): boolean {
  const token = headers.get('authorization')?.slice('Bearer '.length) ?? '';
  const hash = createHash('sha256').update(token).digest();
  return timingSafeEqual(hash, tokenHash) && headers.get('x-merchant') === merchantId;
}
