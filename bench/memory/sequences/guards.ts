import type { Sequence } from '../sequence.ts';

/** A web shop without guards for absent values, and two bugs of other kinds. */
export const guards: Sequence = {
  name: 'guards',
  slips: [
    {
      module: 'address',
      right: 'customer.address?.city',
      wrong: 'customer.address.city',
      source: `/** Where a customer lives, as one line. */
export function cityOf(customer) {
  const city = customer.address?.city;
  return city === undefined ? 'unknown' : city.trim();
}

export function sameCity(one, other) {
  return cityOf(one) === cityOf(other);
}
`,
      cases: [
        ["cityOf({ address: { city: ' Bonn ' } })", "'Bonn'"],
        ['cityOf({})', "'unknown'"],
        ["sameCity({ address: { city: 'Bonn' } }, { address: { city: 'Bonn' } })", 'true'],
      ],
    },
    {
      module: 'cart',
      right: 'cart.items?.length ?? 0',
      wrong: 'cart.items.length',
      source: `/** What the badge of a cart says. */
export function badge(cart) {
  const count = cart.items?.length ?? 0;
  return count > 9 ? '9+' : String(count);
}

export function isFull(cart, most) {
  return badge(cart) === String(most);
}
`,
      cases: [
        ["badge({ items: ['a'] })", "'1'"],
        ['badge({})', "'0'"],
        ['badge({ items: Array(12) })', "'9+'"],
        ['isFull({ items: [1, 2] }, 2)', 'true'],
      ],
    },
    {
      module: 'coupon',
      right: 'coupon?.percent',
      wrong: 'coupon.percent',
      source: `/** A sum with a coupon, where there is one. */
export function reduced(sum, coupon) {
  const percent = coupon?.percent;
  return percent === undefined ? sum : sum - (sum * percent) / 100;
}

export const euros = (cents) => (cents / 100).toFixed(2);
`,
      cases: [
        ['reduced(200, { percent: 10 })', '180'],
        ['reduced(200, undefined)', '200'],
        ['reduced(200, null)', '200'],
        ['euros(250)', "'2.50'"],
      ],
    },
    {
      module: 'shipping',
      right: 'weight * RATE',
      wrong: 'weight + RATE',
      source: `const RATE = 3;
const LEAST = 5;

/** What a parcel costs by its weight in kilograms. */
export function shipping(weight) {
  return Math.max(LEAST, weight * RATE);
}

export function isCheap(weight) {
  return shipping(weight) === LEAST;
}
`,
      cases: [
        ['shipping(10)', '30'],
        ['shipping(1)', '5'],
        ['isCheap(1)', 'true'],
      ],
    },
    {
      module: 'profile',
      right: 'user.contact?.mail',
      wrong: 'user.contact.mail',
      source: `/** Where to write to somebody; null where it is not known. */
export function mailOf(user) {
  const mail = user.contact?.mail;
  return mail === undefined || mail === '' ? null : mail.toLowerCase();
}

export function reachable(users) {
  return users.filter((user) => mailOf(user) !== null).length;
}
`,
      cases: [
        ["mailOf({ contact: { mail: 'A@B.C' } })", "'a@b.c'"],
        ["mailOf({ contact: { mail: '' } })", 'null'],
        ['mailOf({})', 'null'],
        ["reachable([{ contact: { mail: 'x' } }])", '1'],
      ],
    },
    {
      module: 'search',
      right: 'product.tags?.includes(tag)',
      wrong: 'product.tags.includes(tag)',
      source: `/** Names of the products with a tag. */
export function taggedWith(products, tag) {
  const names = [];
  for (const product of products) {
    if (product.tags?.includes(tag)) names.push(product.name);
  }
  return names;
}
`,
      cases: [
        ["taggedWith([{ name: 'a', tags: ['new'] }, { name: 'b', tags: [] }], 'new')", "['a']"],
        ["taggedWith([{ name: 'a' }, { name: 'b', tags: ['new'] }], 'new')", "['b']"],
        ["taggedWith([], 'new')", '[]'],
      ],
    },
    {
      module: 'stars',
      right: 'Math.floor(mean)',
      wrong: 'Math.ceil(mean)',
      source: `/** Full stars for a mean of ratings. */
export function fullStars(mean) {
  return '*'.repeat(Math.floor(mean));
}

export function starLine(name, mean) {
  return name + ' ' + fullStars(mean);
}
`,
      cases: [
        ['fullStars(3.5)', "'***'"],
        ['fullStars(4)', "'****'"],
        ["starLine('lamp', 0)", "'lamp '"],
      ],
    },
    {
      module: 'invoice',
      right: 'order.customer?.company',
      wrong: 'order.customer.company',
      source: `/** Whom an invoice goes to. */
export function recipient(order) {
  const company = order.customer?.company;
  if (company) return company;
  return order.name ?? 'unnamed';
}

export const dueDays = (order) => (recipient(order) === 'unnamed' ? 0 : 14);
`,
      cases: [
        ["recipient({ customer: { company: 'Ix' } })", "'Ix'"],
        ["recipient({ name: 'Ada' })", "'Ada'"],
        ['recipient({})', "'unnamed'"],
        ["dueDays({ customer: { company: 'Ix' } })", '14'],
      ],
    },
    {
      module: 'stock-note',
      right: 'article.stock?.places',
      wrong: 'article.stock.places',
      source: `/** Where an article lies, by shelf. */
export function shelves(article) {
  const places = article.stock?.places;
  if (!places) return [];
  return [...places].sort();
}

export function isScattered(article) {
  return shelves(article).length > 2;
}
`,
      cases: [
        ["shelves({ stock: { places: ['b', 'a'] } })", "['a', 'b']"],
        ['shelves({})', '[]'],
        ["isScattered({ stock: { places: ['a', 'b', 'c'] } })", 'true'],
      ],
    },
    {
      module: 'locale',
      right: 'request.headers?.language',
      wrong: 'request.headers.language',
      source: `const KNOWN = ['de', 'en'];

/** The language to answer in. */
export function languageOf(request) {
  const asked = request.headers?.language;
  return KNOWN.includes(asked) ? asked : 'en';
}

export function isDefault(request) {
  return languageOf(request) === KNOWN[1];
}
`,
      cases: [
        ["languageOf({ headers: { language: 'de' } })", "'de'"],
        ["languageOf({ headers: { language: 'xx' } })", "'en'"],
        ['languageOf({})', "'en'"],
        ["isDefault({ headers: { language: 'de' } })", 'false'],
      ],
    },
  ],
};
