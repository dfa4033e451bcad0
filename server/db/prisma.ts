import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '#db-client';
import { processWide } from '../lib/process-wide.ts';
import { getPool } from './pool.ts';

const held = processWide<{ client?: PrismaClient }>('prisma', () => ({}));

/** The process's Prisma client, which shares its connections with the hand-written statements. */
export function getPrisma(): PrismaClient {
  held.client ??= new PrismaClient({ adapter: new PrismaPg(getPool()) });
  return held.client;
}
