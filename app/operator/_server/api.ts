import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { tellRefusal } from '#server/observability/refusals.ts';
import { createContext } from '#server/trpc/context.ts';
import { createCaller } from '#server/trpc/root.ts';
import { currentVisit, nextQuery } from '../../dashboard/_server/visit.ts';

/**
 * The operator's session and its procedures. A person who is not signed in is led to the sign-in,
 * and one without a demanded second factor to its set-up; these pages exist for nobody else.
 */
export const operatorSession = cache(async () => {
  // The operator's procedures look at no tenant, but an environment has to be named.
  const visit = await currentVisit();
  const context = await createContext({ ...visit, environment: 'sandbox' });
  const { session } = context;
  const next = await nextQuery();
  if (!session) redirect(`/dashboard/sign-in?${next}`);
  if (!session.isOperator) {
    const { address, requestId } = visit;
    const refusal = { what: 'permission', outcome: 'refused', address, requestId } as const;
    tellRefusal({ ...refusal, account: session.user.email, about: { page: 'operator' } });
    notFound();
  }
  if (session.mustSetUpAsOperator) redirect(`/dashboard/second-factor?${next}`);
  return { session, api: createCaller(context) };
});
