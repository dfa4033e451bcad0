'use client';

import { usePathname } from 'next/navigation';
import { propertiesOf } from '#server/lib/locales.ts';
import { DOCS_LANGUAGES, type DocsLanguage, docsAddress } from '../_content/docs-language.ts';

/** The same page in each language of the docs. */
export function DocsLanguages({ label, language }: { label: string; language: DocsLanguage }) {
  const here = usePathname();
  return (
    <nav aria-label={label} className="docs-languages">
      <ul>
        {DOCS_LANGUAGES.map((each) => (
          <li key={each} lang={each}>
            {each === language ? (
              <span aria-current="true">{propertiesOf(each).name}</span>
            ) : (
              <a
                href={docsAddress(here, each)}
                hrefLang={each}
                className="link-quiet"
                // Anchors are the same in every language.
                onClick={({ currentTarget }) => {
                  currentTarget.hash = location.hash;
                }}
              >
                {propertiesOf(each).name}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
