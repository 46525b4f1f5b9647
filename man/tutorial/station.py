"""Write the daily report of the weather station."""
import csv
import statistics

LIMITS = (-40.0, 60.0)


def readings(path):
    """Yield (time, degrees) for each line of a CSV file."""
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield row["time"], in_celsius(float(row["degrees"]), row["unit"])


def in_celsius(degrees, unit):
    """Convert degrees of a sensor's unit."""
    if unit == "F":
        return (degrees - 32) * 5 / 9
    return degrees


def report(path):
    """Return the lowest, the mean and the highest value of a day."""
    values = [degrees for _, degrees in readings(path)]
    return min(values), statistics.mean(values), max(values)


if __name__ == "__main__":
    import sys

    for path in sys.argv[1:]:
        low, mean, high = report(path)
        print(f"{path}: {low:.1f} {mean:.1f} {high:.1f}")
