import { z } from 'zod';
import { GatewayError } from '../../lib/errors.ts';
import { CURRENCIES, MAX_AMOUNT_MINOR } from '../../lib/money.ts';
import { linkUrl } from '../../links/address.ts';
import { listLinks, listUses, readLink } from '../../links/data.ts';
import { createLink, switchLink } from '../../links/mutations.ts';
import { LINK_FIELDS, LINK_LIMITS, type LinkPrice } from '../../links/types.ts';
import { readStorefront } from '../../merchants/storefront.ts';
import { router, staffProcedure } from '../init.ts';
import { id, instantMs, text } from '../inputs.ts';

const amount = z.int().min(1);
const field = z.enum(LINK_FIELDS);

const link = z
  .object({
    title: text(LINK_LIMITS.title).trim().min(1),
    description: text(LINK_LIMITS.description).trim().min(1).nullable(),
    currency: z.enum(CURRENCIES),
    price: z.union([
      z.object({ amountMinor: amount }),
      z.object({ leastMinor: amount, greatestMinor: amount }),
    ]),
    maxQuantity: z.int().min(1).max(LINK_LIMITS.quantity),
    asksNote: field,
    asksEmail: field,
    asksPhone: field,
    usesLimit: z.int().min(1).max(LINK_LIMITS.uses).nullable(),
    endsAtMs: instantMs.nullable(),
  })
  .refine(({ price, maxQuantity }) =>
    'amountMinor' in price
      ? BigInt(price.amountMinor) * BigInt(maxQuantity) <= MAX_AMOUNT_MINOR
      : price.leastMinor <= price.greatestMinor && maxQuantity === 1,
  );

const priceOf = (price: z.infer<typeof link>['price']): LinkPrice =>
  'amountMinor' in price
    ? { amountMinor: BigInt(price.amountMinor) }
    : { leastMinor: BigInt(price.leastMinor), greatestMinor: BigInt(price.greatestMinor) };

/** Links for any number of buyers, each of whom gets an invoice of their own. */
export const linksRouter = router({
  list: staffProcedure('invoice.read').query(({ ctx: { db, tenant, now } }) =>
    listLinks(db, tenant, now),
  ),

  /** One link, its newest orders, and how its poster names the merchant. */
  read: staffProcedure('invoice.read')
    .input(z.object({ linkId: id }))
    .query(async ({ ctx: { db, tenant, now }, input: { linkId } }) => {
      const found = await readLink(db, tenant, linkId, now);
      const shop = await readStorefront(db, tenant.merchantId);
      if (!found || !shop) throw new GatewayError('link_not_found');
      const orders = await listUses(db, tenant, linkId);
      const { name, logoUrl } = shop;
      return { link: found, url: linkUrl(found.code), orders, shop: { name, logoUrl } };
    }),

  /** Makes a link, switched on. */
  create: staffProcedure('invoice.create')
    .input(link)
    .mutation(async ({ ctx: { db, tenant, actor, now }, input }) => {
      const made = { ...input, price: priceOf(input.price) };
      return { linkId: await createLink(db, tenant, made, { actor, now }) };
    }),

  switch: staffProcedure('invoice.create')
    .input(z.object({ linkId: id, isOn: z.boolean() }))
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { linkId, isOn } }) => {
      const isThere = await switchLink(db, tenant, { id: linkId, isOn }, { actor, now });
      if (!isThere) throw new GatewayError('link_not_found');
    }),
});
