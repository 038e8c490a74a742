// @ts-check

/** The weather in June; degrees are Celsius. */
const stations = [
  { city: 'London', temperature: 19, humidity: 62, sky: 'overcast' },
  { city: 'Nairobi', temperature: 24, humidity: 55, sky: 'sunny' },
  { city: 'Reykjavik', temperature: 11, humidity: 78, sky: 'rain' },
  { city: 'Tokyo', temperature: 26, humidity: 74, sky: 'partly cloudy' },
];
const cities = stations.map(({ city }) => city);

/** @param {string} name */
const findStation = (name) => stations.find(({ city }) => city.toLowerCase() === name.trim().toLowerCase());

/** @param {string} typed */
const completeCity = (typed) => cities.filter((city) => city.toLowerCase().startsWith(typed.toLowerCase()));

/** @param {import('@mortise/plugin').RegisterApi} api */
module.exports.register = (api) => {
  const isFahrenheit = api.getConfig('weather:unit') === 'fahrenheit';
  /** @param {number} celsius */
  const format = (celsius) => (isFahrenheit ? `${Math.round(celsius * 1.8 + 32)} °F` : `${celsius} °C`);

  api.registerTool({
    name: 'weather.temperature',
    title: 'Temperature',
    description: `Gives temperature, humidity and sky in a city. Known cities: ${cities.join(', ')}.`,
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 1, description: 'The name of the city, for example London' } },
      required: ['city'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ city }) => {
      const station = findStation(city);
      if (!station) {
        return {
          content: `There is no weather station in ${city}. Known cities: ${cities.join(', ')}.`,
          error: `Unknown city: ${city}`,
          metadata: { attempted: city, cities },
        };
      }
      const { temperature, humidity, sky } = station;
      return { content: `${station.city}: ${format(temperature)}, ${sky}, humidity ${humidity} %`, metadata: station };
    },
  });

  api.registerResource({
    uriTemplate: 'weather://stations/{city}',
    name: 'Weather station',
    description: 'What one station measures, as JSON.',
    mimeType: 'application/json',
    read: (_uri, { city = '' }) => {
      const station = findStation(city);
      if (!station) throw new Error(`There is no weather station in ${city}.`);
      return JSON.stringify(station);
    },
    list: () => cities.map((city) => ({ uri: `weather://stations/${city}`, name: city })),
    complete: { city: completeCity },
  });

  api.registerPrompt({
    name: 'packing_list',
    title: 'Packing list',
    description: 'What to pack for a journey, by the weather there.',
    arguments: [{ name: 'city', description: 'Where the journey goes', required: true, complete: completeCity }],
    get: ({ city }) => `Look up the weather in ${city}, then write a short packing list for a weekend there.`,
  });
};
