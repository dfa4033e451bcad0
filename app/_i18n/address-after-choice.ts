/**
 * Where a page goes on after `?lang=` was chosen on it. The link names the language alone, since
 * what it stands in (a frame that stays while pages change, a page without script) does not know
 * the rest of the address: the page it was pressed on tells that, as the referrer.
 *
 * @param chosen the address that was asked for, with `lang`
 * @param referrer the `Referer` header; only that of the same path counts
 */
export function addressAfterChoice(chosen: URL, referrer: string | null): URL {
  const address = new URL(chosen);
  const cameFrom = referrer !== null && URL.canParse(referrer) ? new URL(referrer) : null;
  const isOnlyLanguage = [...address.searchParams.keys()].every((name) => name === 'lang');
  if (isOnlyLanguage && cameFrom?.pathname === address.pathname) address.search = cameFrom.search;
  address.searchParams.delete('lang');
  return address;
}
