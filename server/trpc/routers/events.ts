import { z } from 'zod';
import { readEventAddress, removeEventAddress, setEventAddress } from '../../events/address.ts';
import { SENT_EVENT_TYPES } from '../../events/types.ts';
import { settings } from '../../settings/settings.ts';
import { checkedUrl } from '../../wire/called-url.ts';
import { router, staffProcedure } from '../init.ts';
import { text } from '../inputs.ts';

export const eventsRouter = router({
  /** Where this environment's events are sent, and which; null without an address. */
  address: staffProcedure('token.read').query(({ ctx: { db, tenant } }) =>
    readEventAddress(db, tenant),
  ),

  /** Sets the address and the types that are sent there. */
  setAddress: staffProcedure('events.manage')
    .input(
      z.object({
        url: text(4096).min(1),
        types: z.array(z.enum(SENT_EVENT_TYPES)).min(1).max(SENT_EVENT_TYPES.length),
      }),
    )
    .mutation(({ ctx: { db, tenant, actor, now }, input: { url, types } }) =>
      setEventAddress(db, tenant, {
        url: checkedUrl(url),
        types,
        network: settings().callbackNetwork,
        actor,
        now,
      }),
    ),

  /** Removes the address; what waits to be sent still goes there. */
  removeAddress: staffProcedure('events.manage').mutation(
    async ({ ctx: { db, tenant, actor, now } }) => {
      await removeEventAddress(db, tenant, { actor, now });
    },
  ),
});
