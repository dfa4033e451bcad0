import { TRPCError } from '@trpc/server';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { isEnvironment } from '#server/merchants/types.ts';
import { createContext } from '#server/trpc/context.ts';
import { createCaller } from '#server/trpc/root.ts';
import { currentVisit, nextQuery } from './visit.ts';

/** The session of the request being rendered and its procedures, or a sign-in. */
export const runningSession = cache(async (environment: string) => {
  if (!isEnvironment(environment)) notFound();
  const request = { ...(await currentVisit()), environment };
  const context = await createContext(request);
  const { session } = context;
  const next = await nextQuery();
  if (!session) redirect(`/dashboard/sign-in?${next}`);
  /** The same access at a later moment of a file: closed once the person has lost it. */
  const laterApi = async () => {
    const shownMerchantId = session.merchant?.id ?? null;
    return createCaller(await createContext({ ...request, shownMerchantId, readsFile: true }));
  };
  return { session, environment, api: createCaller(context), laterApi, next };
});

/** The same for all screens of a merchant: a demanded second factor is set up. */
export const dashboardSession = cache(async (segment: string) => {
  const { next, ...running } = await runningSession(segment);
  if (running.session.mustSetUpSecondFactor) redirect(`/dashboard/second-factor?${next}`);
  return running;
});

/** The signed-in person, their merchant and what they may do; asked once for a request. */
export const currentAccount = cache(async (segment: string) => {
  const { api } = await dashboardSession(segment);
  return await api.account.current();
});

/** The session for a screen of the whole business; a cashier is led to their own. */
export const businessSession = cache(async (segment: string) => {
  const running = await dashboardSession(segment);
  if (running.session.merchant) {
    const { permissions } = await currentAccount(segment);
    if (!permissions.includes('business.read')) {
      redirect(`/dashboard/${running.environment}/invoices/new`);
    }
  }
  return running;
});

export type Loaded<T> = { ok: true; data: T } | { ok: false; reason: 'forbidden' | 'not_found' };

/** Turns an error that a screen has a state for into that state; others are our faults. */
export async function load<T>(work: Promise<T>): Promise<Loaded<T>> {
  try {
    return { ok: true, data: await work };
  } catch (error) {
    if (error instanceof TRPCError && error.code === 'FORBIDDEN') {
      return { ok: false, reason: 'forbidden' };
    }
    // A malformed id in the address names nothing.
    if (error instanceof TRPCError && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)) {
      return { ok: false, reason: 'not_found' };
    }
    throw error;
  }
}
