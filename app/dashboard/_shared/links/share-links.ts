/**
 * Where a link can be sent from a browser that cannot share by itself: each opens the messenger, or
 * the e-mail program, with the text and the address filled in.
 */
export function shareLinks(
  text: string,
  url: string,
): { via: 'telegram' | 'whatsapp' | 'email'; href: string }[] {
  const [words, address] = [encodeURIComponent(text), encodeURIComponent(url)];
  return [
    { via: 'telegram', href: `https://t.me/share/url?url=${address}&text=${words}` },
    { via: 'whatsapp', href: `https://wa.me/?text=${words}%20${address}` },
    { via: 'email', href: `mailto:?subject=${words}&body=${words}%0D%0A${address}` },
  ];
}
