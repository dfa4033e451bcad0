'use client';

import { unstable_isUnrecognizedActionError } from 'next/navigation';
import type { ComponentProps, MouseEvent } from 'react';
import { chooseLanguage } from './choose-language.ts';

/**
 * A link of the language selector that changes the language of the page around it, so that what is
 * typed there stays where it is. Where no answer comes, the page stays as it was.
 */
export function LanguageLink(link: ComponentProps<'a'>) {
  async function choose(event: MouseEvent<HTMLAnchorElement>): Promise<void> {
    // To be opened beside the page.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href, hreflang } = event.currentTarget;
    const form = new FormData();
    form.set('lang', hreflang);
    try {
      await chooseLanguage(form);
    } catch (error) {
      // The page is of a gateway that was updated: nothing can be sent from it any more.
      if (unstable_isUnrecognizedActionError(error)) location.assign(href);
    }
  }
  const inPlace: ComponentProps<'a'> = { ...link, onClick: (event) => void choose(event) };
  return <a {...inPlace} />;
}
