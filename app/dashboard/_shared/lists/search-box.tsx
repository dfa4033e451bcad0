import { SearchIcon } from '#app/_ui/icons.tsx';
import { MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import { INPUT } from '../forms/form-field.tsx';

/** A list's one search box, with its button; `/` moves there. */
export function SearchBox({
  label,
  hint,
  value,
  button,
}: {
  label: string;
  hint: string;
  value: string;
  button: string;
}) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <SearchIcon className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-5 text-muted" />
          <input
            type="search"
            name="q"
            id="search"
            defaultValue={value}
            maxLength={MAX_SEARCH_LENGTH}
            autoCapitalize="none"
            spellCheck={false}
            aria-label={label}
            placeholder={hint}
            className={`${INPUT} !pl-10 max-sm:placeholder:text-transparent`}
          />
        </div>
        <button type="submit" className="button button-plain button-compact">
          {button}
        </button>
      </div>
      {/* A phone would cut it off in the box. */}
      <p aria-hidden="true" className="mt-1 text-muted text-sm sm:hidden">
        {hint}
      </p>
    </div>
  );
}
