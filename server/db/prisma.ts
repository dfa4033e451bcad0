import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '#db-client';
import { getPool } from './pool.ts';

const PRISMA = Symbol.for('payment-gateway.prisma');
const globals = globalThis as typeof globalThis & { [PRISMA]?: PrismaClient };

/** The process's Prisma client, on the same connections as the hand-written statements. */
export function getPrisma(): PrismaClient {
  globals[PRISMA] ??= new PrismaClient({ adapter: new PrismaPg(getPool()) });
  return globals[PRISMA];
}
