import { asId } from "./json.ts";

/**
 * The IANA name of a `timezone_id`, a number of the provider's own table (Marketing API documentation, time zone ids of ad accounts;
 * business accounts use the same). Null for 0, which means unknown, for a number that the table does not have and for anything else.
 */
export function timeZoneOfId(value: unknown): string | null {
  const id = asId(value);
  return id !== null && /^[1-9]\d{0,3}$/.test(id) ? (TIME_ZONES[Number(id) - 1] ?? null) : null;
}

/** The id of an IANA name; null for one that the table does not have. */
export function idOfTimeZone(name: string): string | null {
  const place = TIME_ZONES.indexOf(name);
  return place < 0 ? null : String(place + 1);
}

/** From id 1 on. */
const TIME_ZONES: readonly string[] = `
  America/Los_Angeles America/Denver Pacific/Honolulu America/Anchorage America/Phoenix America/Chicago
  America/New_York Asia/Dubai America/Argentina/San_Luis America/Argentina/Buenos_Aires America/Argentina/Salta
  Europe/Vienna Australia/Perth Australia/Broken_Hill Australia/Sydney Europe/Sarajevo Asia/Dhaka Europe/Brussels
  Europe/Sofia Asia/Bahrain America/La_Paz America/Noronha America/Campo_Grande America/Belem America/Sao_Paulo
  America/Nassau America/Dawson America/Vancouver America/Dawson_Creek America/Edmonton America/Rainy_River
  America/Regina America/Atikokan America/Iqaluit America/Toronto America/Blanc-Sablon America/Halifax
  America/St_Johns Europe/Zurich Pacific/Easter America/Santiago Asia/Shanghai America/Bogota America/Costa_Rica
  Asia/Nicosia Europe/Prague Europe/Berlin Europe/Copenhagen America/Santo_Domingo Pacific/Galapagos America/Guayaquil
  Europe/Tallinn Africa/Cairo Atlantic/Canary Europe/Madrid Europe/Helsinki Europe/Paris Europe/London Africa/Accra
  Europe/Athens America/Guatemala Asia/Hong_Kong America/Tegucigalpa Europe/Zagreb Europe/Budapest Asia/Jakarta
  Asia/Makassar Asia/Jayapura Europe/Dublin Asia/Jerusalem Asia/Kolkata Asia/Baghdad Atlantic/Reykjavik Europe/Rome
  America/Jamaica Asia/Amman Asia/Tokyo Africa/Nairobi Asia/Seoul Asia/Kuwait Asia/Beirut Asia/Colombo Europe/Vilnius
  Europe/Luxembourg Europe/Riga Africa/Casablanca Europe/Skopje Europe/Malta Indian/Mauritius Indian/Maldives
  America/Tijuana America/Hermosillo America/Mazatlan America/Mexico_City Asia/Kuala_Lumpur Africa/Lagos
  America/Managua Europe/Amsterdam Europe/Oslo Pacific/Auckland Asia/Muscat America/Panama America/Lima Asia/Manila
  Asia/Karachi Europe/Warsaw America/Puerto_Rico Asia/Gaza Atlantic/Azores Europe/Lisbon America/Asuncion Asia/Qatar
  Europe/Bucharest Europe/Belgrade Europe/Kaliningrad Europe/Moscow Europe/Samara Asia/Yekaterinburg Asia/Omsk
  Asia/Krasnoyarsk Asia/Irkutsk Asia/Yakutsk Asia/Vladivostok Asia/Magadan Asia/Kamchatka Asia/Riyadh Europe/Stockholm
  Asia/Singapore Europe/Ljubljana Europe/Bratislava America/El_Salvador Asia/Bangkok Africa/Tunis Europe/Istanbul
  America/Port_of_Spain Asia/Taipei Europe/Kiev America/Montevideo America/Caracas Asia/Ho_Chi_Minh
  Africa/Johannesburg America/Winnipeg America/Detroit Australia/Melbourne Asia/Kathmandu Asia/Baku Africa/Abidjan
  Africa/Addis_Ababa Africa/Algiers Africa/Asmara Africa/Bamako Africa/Bangui Africa/Banjul Africa/Bissau
  Africa/Blantyre Africa/Brazzaville Africa/Bujumbura Africa/Ceuta Africa/Conakry Africa/Dakar Africa/Dar_es_Salaam
  Africa/Djibouti Africa/Douala Africa/El_Aaiun Africa/Freetown Africa/Gaborone Africa/Harare Africa/Juba
  Africa/Kampala Africa/Khartoum Africa/Kigali Africa/Kinshasa Africa/Libreville Africa/Lome Africa/Luanda
  Africa/Lubumbashi Africa/Lusaka Africa/Malabo Africa/Maputo Africa/Maseru Africa/Mbabane Africa/Mogadishu
  Africa/Monrovia Africa/Ndjamena Africa/Niamey Africa/Nouakchott Africa/Ouagadougou Africa/Porto-Novo Africa/Sao_Tome
  Africa/Tripoli Africa/Windhoek America/Adak America/Anguilla America/Antigua America/Araguaina
  America/Argentina/Catamarca America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja
  America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/San_Juan America/Argentina/Tucuman
  America/Argentina/Ushuaia America/Aruba America/Bahia America/Bahia_Banderas America/Barbados America/Belize
  America/Boa_Vista America/Boise America/Cambridge_Bay America/Cancun America/Cayenne America/Cayman
  America/Chihuahua America/Creston America/Cuiaba America/Curacao America/Danmarkshavn America/Dominica
  America/Eirunepe America/Fort_Nelson America/Fortaleza America/Glace_Bay America/Godthab America/Goose_Bay
  America/Grand_Turk America/Grenada America/Guadeloupe America/Guyana America/Havana America/Indiana/Indianapolis
  America/Indiana/Knox America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Tell_City
  America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Indianapolis America/Inuvik
  America/Juneau America/Kentucky/Louisville America/Kentucky/Monticello America/Kralendijk America/Lower_Princes
  America/Maceio America/Manaus America/Marigot America/Martinique America/Matamoros America/Menominee America/Merida
  America/Metlakatla America/Miquelon America/Moncton America/Monterrey America/Montreal America/Montserrat
  America/Nipigon America/Nome America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem
  America/Ojinaga America/Pangnirtung America/Paramaribo America/Port-au-Prince America/Porto_Velho
  America/Punta_Arenas America/Rankin_Inlet America/Recife America/Resolute America/Rio_Branco America/Santarem
  America/Scoresbysund America/Sitka America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas
  America/St_Vincent America/Swift_Current America/Thule America/Thunder_Bay America/Tortola America/Whitehorse
  America/Yakutat America/Yellowknife Antarctica/Casey Antarctica/Davis Antarctica/DumontDUrville Antarctica/Macquarie
  Antarctica/Mawson Antarctica/McMurdo Antarctica/Palmer Antarctica/Rothera Antarctica/Syowa Antarctica/Troll
  Antarctica/Vostok Arctic/Longyearbyen Asia/Aden Asia/Almaty Asia/Anadyr Asia/Aqtau Asia/Aqtobe Asia/Ashgabat
  Asia/Atyrau Asia/Barnaul Asia/Bishkek Asia/Brunei Asia/Chita Asia/Choibalsan Asia/Damascus Asia/Dili Asia/Dushanbe
  Asia/Famagusta Asia/Hebron Asia/Hovd Asia/Istanbul Asia/Kabul Asia/Khandyga Asia/Kuching Asia/Macau
  Asia/Novokuznetsk Asia/Novosibirsk Asia/Oral Asia/Phnom_Penh Asia/Pontianak Asia/Pyongyang Asia/Qostanay
  Asia/Qyzylorda Asia/Sakhalin Asia/Samarkand Asia/Srednekolymsk Asia/Tashkent Asia/Tbilisi Asia/Tehran Asia/Thimphu
  Asia/Tomsk Asia/Ulaanbaatar Asia/Urumqi Asia/Ust-Nera Asia/Vientiane Asia/Yangon Asia/Yerevan Atlantic/Bermuda
  Atlantic/Cape_Verde Atlantic/Faroe Atlantic/Madeira Atlantic/South_Georgia Atlantic/St_Helena Atlantic/Stanley
  Australia/Adelaide Australia/Brisbane Australia/Currie Australia/Darwin Australia/Eucla Australia/Hobart
  Australia/Lindeman Australia/Lord_Howe CET CST6CDT EET EST EST5EDT Etc/GMT Etc/GMT+0 Etc/GMT+1 Etc/GMT+10 Etc/GMT+11
  Etc/GMT+12 Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9 Etc/GMT-0 Etc/GMT-1
  Etc/GMT-10 Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7
  Etc/GMT-8 Etc/GMT-9 Etc/GMT0 Etc/Greenwich Etc/Universal Etc/Zulu Europe/Andorra Europe/Astrakhan Europe/Busingen
  Europe/Chisinau Europe/Gibraltar Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/Kirov Europe/Mariehamn
  Europe/Minsk Europe/Monaco Europe/Nicosia Europe/Podgorica Europe/San_Marino Europe/Saratov Europe/Simferopol
  Europe/Tirane Europe/Ulyanovsk Europe/Uzhgorod Europe/Vaduz Europe/Vatican Europe/Volgograd Europe/Zaporozhye GMT
  HST Indian/Antananarivo Indian/Chagos Indian/Christmas Indian/Cocos Indian/Comoro Indian/Kerguelen Indian/Mahe
  Indian/Mayotte Indian/Reunion MET MST MST7MDT PST8PDT Pacific/Apia Pacific/Bougainville Pacific/Chatham
  Pacific/Chuuk Pacific/Efate Pacific/Enderbury Pacific/Fakaofo Pacific/Fiji Pacific/Funafuti Pacific/Gambier
  Pacific/Guadalcanal Pacific/Guam Pacific/Kiritimati Pacific/Kosrae Pacific/Kwajalein Pacific/Majuro
  Pacific/Marquesas Pacific/Midway Pacific/Nauru Pacific/Niue Pacific/Norfolk Pacific/Noumea Pacific/Pago_Pago
  Pacific/Palau Pacific/Pitcairn Pacific/Pohnpei Pacific/Port_Moresby Pacific/Rarotonga Pacific/Saipan Pacific/Tahiti
  Pacific/Tarawa Pacific/Tongatapu Pacific/Wake Pacific/Wallis UTC WET
`
  .trim()
  .split(/\s+/);
