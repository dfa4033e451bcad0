/**
 * Returns the address that a page continues at after `?lang=` was chosen on it. The link names only
 * the language, because its surroundings (a frame that outlives pages, a page without script) do
 * not know the rest of the address. The referrer tells it.
 *
 * @param chosen the requested address, with `lang`
 * @param referrer the `Referer` header; counts only when its path is the same
 */
export function addressAfterChoice(chosen: URL, referrer: string | null): URL {
  const address = new URL(chosen);
  const cameFrom = referrer !== null && URL.canParse(referrer) ? new URL(referrer) : null;
  const isOnlyLanguage = [...address.searchParams.keys()].every((name) => name === 'lang');
  if (isOnlyLanguage && cameFrom?.pathname === address.pathname) address.search = cameFrom.search;
  address.searchParams.delete('lang');
  return address;
}
