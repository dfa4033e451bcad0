import { listEvents } from '../../events/list.ts';
import { eventListText, parseEventQuery } from '../../wire/event-list.ts';
import { invalid, success } from '../answers.ts';
import type { Answer, AuthenticatedRequest, Endpoint, RestContext } from '../types.ts';

async function handle(
  { db }: RestContext,
  { query, tenant }: AuthenticatedRequest,
): Promise<Answer> {
  const asked = parseEventQuery(query);
  if (!asked.ok) return invalid(asked.detail);
  const events = await listEvents(db, tenant, asked.value);
  return success(eventListText(events, asked.value.after));
}

/** `GET /event/list`. */
export const listEventsEndpoint: Endpoint = { method: 'GET', scope: 'invoices.read', handle };
