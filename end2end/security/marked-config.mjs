// A config full of marker secrets, and who may see which of them.

import { Markers, sha256 } from './harness.mjs';

export const markers = new Markers();
export const marker = (what) => markers.make(what);

// Who may see what. `nobody` is hidden even from admins: secrets in files and the environment of the server.
export const EVERYBODY = ['an item that everybody sees', 'a page that everybody sees'];
export const GUESTS = EVERYBODY;
export const USERS = [...GUESTS, 'an item hidden from guests', 'a section hidden from guests', 'a page hidden from guests'];
export const NOBODY = {
  'the API token': marker('the API token'),
  'the password of the environment': marker('the password of the environment'),
  'the secret of the client': marker('the secret of the client'),
  'the key of sessions': marker('the key of sessions'),
  'a variable named in an option': marker('a variable named in an option'),
};

export const PASSWORDS = { admin: 'the password of the admin', reader: 'the password of the reader' };

export const CONF = `\
# ${marker('a comment')}
pageInfo:
  title: Harbour
appConfig:
  statusCheck: true
  apiKeyOfSomething: ${marker('an unknown field of appConfig')}
  auth:
    AUTH
    users:
      - { user: admin, hash: ${sha256(PASSWORDS.admin)}, type: admin }
      - { user: reader, hash: ${sha256(PASSWORDS.reader)} }
      - { user: ${marker('the name of an account')}, hash: ${marker('a hash')}, password: ${marker('a password')}, note: ${marker('an unknown field of an account')} }
unknownBlock: { token: ${marker('an unknown block')} }
pages:
  - { name: Boats, path: boats.yml }
  - { name: Quay, path: quay.yml, displayData: { hideForGuests: true } }
  - { name: Tower, path: tower.yml, displayData: { showForUsers: [ admin ] } }
sections:
  - name: Mole
    items:
      - { title: ${marker('an item that everybody sees')}, url: 'https://mole.example', statusCheckHeaders: { X-Key: ${marker('a header of a status check')} }, statusCheckUrl: 'https://mole.example/?k=${marker('the address of a status check')}', secretOfMine: ${marker('an unknown field of an item')} }
      - { title: Picture, url: 'https://mole.example/2', icon: 'https://pictures.example/a.png?key=${marker('the query of an icon')}' }
      - { title: ${marker('an item hidden from guests')}, url: 'https://guests-not.example', hideForGuests: true }
      - { title: ${marker('an item for admins')}, url: 'https://admins.example/${marker('an address for admins')}', displayData: { showForUsers: [ admin ] }, icon: favicon-local }
      - { title: Group, subItems: [ { title: Sub, url: 'https://sub.example', displayData: { showForUsers: [ admin ] } } ] }
    widgets:
      - type: api-response
        label: Echo
        options: { url: 'UPSTREAM/echo?token=${marker('a key in the address of a widget')}', headers: { X-Api-Key: ${marker('a key in the headers of a widget')} }, username: echo, password: ${marker('the password of a widget')}, ownOption: ${marker('an unknown option of a widget')} }
      - type: api-response
        options: { url: 'UPSTREAM/echo', method: POST, requestBody: { key: ${marker('a key in the body of a widget')} }, headers: { Authorization: VITE_APP_MARKER } }
      - type: dns-sinkhole-stats-v6
        options: { hostname: 'UPSTREAM', apiKey: ${marker('the key of a DNS filter')} }
      - type: api-response
        options: { url: [ '${marker('an option of the wrong kind')}' ], password: { a: ${marker('a password of the wrong kind')} } }
      - type: something-of-mine
        options: { endpoint: 'https://mine.example', license: ${marker('an option of an unknown widget')} }
      - type: rss-feed
        options: { rssUrl: 'UPSTREAM/feed?auth=${marker('a key in the address of a feed')}', parseLocally: true, apiKey: ${marker('the key of a feed')} }
  - name: ${marker('a section hidden from guests')}
    hideForGuests: true
    items: [ { title: Crane, url: 'https://crane.example' } ]
  - name: ${marker('a section for admins')}
    displayData: { showForUsers: [ admin ] }
    items: [ { title: Vault, url: 'https://vault.example' } ]
    widgets: [ { type: api-response, options: { url: 'UPSTREAM/hidden-${marker('the address of a hidden widget')}' } }, { type: html-embed, options: { html: '<p>${marker('the markup of a hidden frame')}</p>' } } ]
  - name: ${marker('a section with a rule that cannot be read')}
    displayData: { hideForUsers: 7, showForUsers: { nobody: true }, hideForGuests: [ perhaps ] }
    items: [ { title: Buoy, url: 'https://buoy.example' } ]
`;

export const FILES = {
  'boats.yml': `sections: [ { name: ${marker('a page that everybody sees')}, items: [ { title: Boat, url: 'https://boat.example', displayData: { hideForGuests: true } } ], widgets: [ { type: mine, options: { key: ${marker('an option on a page')} } } ] } ]\n`,
  'quay.yml': `sections: [ { name: ${marker('a page hidden from guests')} } ]\n`,
  'tower.yml': `sections: [ { name: ${marker('a page for admins')} } ]\n`,
  'unlisted.yml': `appConfig: { auth: { users: [ { user: x, hash: ${marker('a hash in a file that no page names')} } ] } }\n`,
  'conf.yml.bak': marker('a copy of the config'),
  'conf.txt': marker('a copy of the config as text'),
  'notes.md': marker('notes'),
  'data.json': JSON.stringify({ key: marker('a file of data') }),
  '.env': marker('a hidden file'),
  'config-backups/conf-1700000000000.backup.yml': `title: ${marker('a backup')}\n`,
};
export const IN_BACKUPS = ['a backup', 'a hidden file'];
